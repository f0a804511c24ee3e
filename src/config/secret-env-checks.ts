import { reservedName } from '../api/env.ts';
import { MODEL_VARIABLES } from '../domain/env.ts';
import { SHORTEST_SECRET } from '../domain/secret.ts';
import { type Fields, fieldsIn, listIn, textIn } from './fields.ts';
import type { Path } from './mistake.ts';
import type { Violation } from './validation-messages.ts';

type Secrets = ReadonlyMap<string, string>;

/** What a secret that an agent can read requires of the rest of the file. */
export function secretEnvChecks(raw: unknown, secrets: Secrets): readonly Violation[] {
  const types = fieldsIn(raw, 'types') ?? {};
  const own = ownSecrets(raw);
  const inTypes = Object.keys(types).flatMap((name) => {
    const type = fieldsIn(types, name) ?? {};
    const path = ['types', name, 'secret_env'];
    const variables = Object.keys(fieldsIn(type, 'secret_env') ?? {});
    if (variables.length === 0) return [];
    return [
      ...faultsOfType(raw, type).map((message) => violation(path, message)),
      ...variables.flatMap((variable) => {
        const fault = faultIn(variable, { type, own, secrets });
        return fault === null ? [] : [violation([...path, variable], fault)];
      }),
    ];
  });
  return [...inTypes, ...secretsInEnv(raw, secrets)];
}

function violation(path: Path, message: string): Violation {
  return { path, at: 'value', message };
}

function faultsOfType(raw: unknown, type: Fields): readonly string[] {
  const mode = textIn(fieldsIn(fieldsIn(raw, 'hall'), 'auth'), 'mode');
  return [
    ...(type['command'] == null
      ? ['is only for a type with a command: other agents reach their model through the hall']
      : []),
    ...(Array.isArray(type['network'])
      ? []
      : ['needs network: of the same type, the list of hosts that its agents may reach']),
    ...(mode === 'none'
      ? ['needs hall.auth.mode local or tokens: without it, everyone could fetch the values']
      : []),
  ];
}

interface Surroundings {
  readonly type: Fields;
  /** References to the secrets of the hall itself. */
  readonly own: readonly string[];
  readonly secrets: Secrets;
}

function faultIn(name: string, { type, own, secrets }: Surroundings): string | null {
  const reserved = reservedName(name);
  if (reserved !== null) return reserved;
  if (MODEL_VARIABLES.test(name) && type['needs_model'] !== false) {
    return 'is set by the hall, unless the type has needs_model: false';
  }
  if (name in (fieldsIn(type, 'env') ?? {})) return 'is in env of the same type too';
  const reference = textIn(fieldsIn(type, 'secret_env'), name) ?? '';
  const value = secrets.get(reference);
  const names = [reference, `$${name}`, `$${name}_FILE`];
  if (own.some((each) => names.includes(each) || (value && secrets.get(each) === value))) {
    return 'is a credential of an invoker or a forge, which no agent may read: give it a key of its own, under another name';
  }
  if (value === undefined || value.length >= SHORTEST_SECRET) return null;
  return `is shorter than ${SHORTEST_SECRET} characters, so it could not be redacted where it appears`;
}

/** The references that the hall needs for itself. */
function ownSecrets(raw: unknown): readonly string[] {
  const invokers = listIn(raw, 'invokers').flatMap((each) => textIn(each, 'credential') ?? []);
  const forges = Object.values(fieldsIn(raw, 'forges') ?? {}).flatMap((forge) => [
    textIn(forge, 'token') ?? [],
    textIn(forge, 'webhook_secret') ?? [],
    textIn(fieldsIn(forge, 'app'), 'key') ?? [],
  ]);
  return [...invokers, ...forges.flat()];
}

/** A reference in env is replaced with its value, which everyone sees on the board. */
function secretsInEnv(raw: unknown, secrets: Secrets): readonly Violation[] {
  const types = fieldsIn(raw, 'types') ?? {};
  const places: readonly (readonly [path: Path, owner: unknown])[] = [
    ...Object.keys(types).map((name) => [['types', name], types[name]] as const),
    ...listIn(raw, 'projects').map((project, at) => [['projects', at], project] as const),
  ];
  const known = [...secrets.values()].filter(({ length }) => length >= SHORTEST_SECRET);
  return places.flatMap(([path, owner]) =>
    Object.entries(fieldsIn(owner, 'env') ?? {})
      .filter(([, value]) => known.some((secret) => String(value).includes(secret)))
      .map(([name]) =>
        violation([...path, 'env', name], 'contains a secret, and env is shown on the board'),
      ),
  );
}
