import { MODEL_VARIABLES } from '../domain/env.ts';
import { type Fields, fieldsIn } from './fields.ts';
import type { Violation } from './validation-messages.ts';

/** What the settings of an agent type require of each other. */
export function typeChecks(raw: unknown): readonly Violation[] {
  const types = fieldsIn(raw, 'types') ?? {};
  return Object.keys(types).flatMap((name) => {
    const type = fieldsIn(types, name) ?? {};
    return [
      ...needlessModel(name, type),
      ...modelVariables(name, type),
      ...nobodysToken(name, type),
    ];
  });
}

/** Agents on the Agent SDK cannot work without a model. */
function needlessModel(name: string, type: Fields): readonly Violation[] {
  if (type['needs_model'] !== false || type['command'] != null) return [];
  const message =
    'can be false only for a type with a command: an agent on the Agent SDK is a model';
  return [{ path: ['types', name, 'needs_model'], at: 'value', message }];
}

/** A token belongs to an account. */
function nobodysToken(name: string, type: Fields): readonly Violation[] {
  if (type['token_path'] == null || type['forge_user'] != null) return [];
  const message = 'is missing: token_path is the token of this account';
  return [{ path: ['types', name, 'forge_user'], at: 'value', message }];
}

/** The gateway and its token are the only model that other agents may use. */
function modelVariables(name: string, type: Fields): readonly Violation[] {
  if (type['needs_model'] === false) return [];
  const names = Object.keys(fieldsIn(type, 'env') ?? {}).filter((each) =>
    MODEL_VARIABLES.test(each),
  );
  const message = 'is set by the hall, unless the type has needs_model: false';
  return names.map((each) => ({ path: ['types', name, 'env', each], at: 'value', message }));
}
