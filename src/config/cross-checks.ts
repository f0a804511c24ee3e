import { resolve, sep } from 'node:path';
import { unknownApprover, unknownForge } from '../api/project-references.ts';
import { fieldsIn, listIn, textIn } from './fields.ts';
import type { Path } from './mistake.ts';
import { secretEnvChecks } from './secret-env-checks.ts';
import { BUILT_IN_NAMES } from './to-declaration.ts';
import { typeChecks } from './type-checks.ts';
import { addressIn, isLoopback } from './units.ts';
import type { Violation } from './validation-messages.ts';
import type { Resolved } from './variable-references.ts';

interface Surroundings {
  /** What paths in the file are relative to. */
  readonly folder: string;
  readonly isSubstituted: (path: Path) => boolean;
}

/**
 * Checks across several values, which a schema cannot do. They read the raw values, not the parsed
 * ones, so these mistakes are reported together with all others.
 */
export function crossChecks(
  { value: raw, secrets }: Pick<Resolved, 'value' | 'secrets'>,
  { folder, isSubstituted }: Surroundings,
): readonly Violation[] {
  const projects = listIn(raw, 'projects');
  const invokers = listIn(raw, 'invokers');
  return [
    ...duplicates(projects, 'projects', 'name'),
    ...duplicates(invokers, 'invokers', 'handle'),
    ...unknownForges(raw, projects),
    ...unknownApprovers(raw, projects),
    ...typeChecks(raw),
    ...secretEnvChecks(raw, secrets),
    ...unprotectedAddress(raw),
    ...lateHeartbeats(raw),
    ...writtenPassword(raw, isSubstituted),
    ...keyInData(raw, folder),
  ];
}

function duplicates(entries: readonly unknown[], list: string, key: string): readonly Violation[] {
  const names = entries.map((entry) => textIn(entry, key));
  return names.flatMap((name, at): Violation[] => {
    const first = names.indexOf(name);
    if (name === undefined || first === at) return [];
    const message = `is already the ${key} of ${list}[${first}]; each needs its own`;
    return [{ path: [list, at, key], at: 'value', message }];
  });
}

function unknownForges(raw: unknown, projects: readonly unknown[]): readonly Violation[] {
  const declared = Object.keys(fieldsIn(raw, 'forges') ?? {});
  return projects.flatMap((project, at): Violation[] => {
    const repo = textIn(project, 'repo');
    const message = repo === undefined ? undefined : unknownForge(repo, declared);
    return message === undefined ? [] : [{ path: ['projects', at, 'repo'], at: 'value', message }];
  });
}

function unknownApprovers(raw: unknown, projects: readonly unknown[]): readonly Violation[] {
  const declared = fieldsIn(raw, 'types');
  const known = declared ? Object.keys(declared) : BUILT_IN_NAMES;
  return projects.flatMap((project, at) =>
    listIn(project, 'approvers').flatMap((approver, place): Violation[] => {
      const message = typeof approver === 'string' ? unknownApprover(approver, known) : undefined;
      if (message === undefined) return [];
      return [{ path: ['projects', at, 'approvers', place], at: 'value', message }];
    }),
  );
}

/** Everyone who reaches the address would have an operator's access. */
function unprotectedAddress(raw: unknown): readonly Violation[] {
  const hall = fieldsIn(raw, 'hall');
  const address = addressIn(textIn(hall, 'listen') ?? '');
  const mode = textIn(fieldsIn(hall, 'auth'), 'mode') ?? 'local';
  if (!address || isLoopback(address.host) || mode !== 'local') return [];
  const message =
    'can be reached from other machines, but auth.mode local is only for this machine: ' +
    'set hall.auth.mode to tokens, or to none on a network where everyone is trusted, ' +
    'or listen on 127.0.0.1';
  return [{ path: ['hall', 'listen'], at: 'value', message }];
}

function lateHeartbeats(raw: unknown): readonly Violation[] {
  const hall = fieldsIn(raw, 'hall');
  const heartbeat = hall?.['heartbeat_seconds'];
  const deadAfter = hall?.['dead_after_seconds'] ?? 360;
  if (typeof heartbeat !== 'number' || typeof deadAfter !== 'number' || heartbeat < deadAfter)
    return [];
  const message =
    'must be less than dead_after_seconds; otherwise workers would be declared dead between two heartbeats';
  return [{ path: ['hall', 'heartbeat_seconds'], at: 'value', message }];
}

/** A copy of the data, a backup of the folder too, would contain the key with the secrets that it encrypts. */
function keyInData(raw: unknown, folder: string): readonly Violation[] {
  const hall = fieldsIn(raw, 'hall');
  const key = textIn(hall, 'secrets_key');
  const data = resolve(folder, textIn(hall, 'data') ?? './data');
  if (key === undefined || !`${resolve(folder, key)}${sep}`.startsWith(`${data}${sep}`)) return [];
  const message =
    'lies in the data folder, and a copy of the data would contain it: choose a path outside';
  return [{ path: ['hall', 'secrets_key'], at: 'value', message }];
}

function writtenPassword(
  raw: unknown,
  isSubstituted: (path: Path) => boolean,
): readonly Violation[] {
  const path = ['hall', 'store'];
  const store = textIn(fieldsIn(raw, 'hall'), 'store');
  if (store === undefined || passwordIn(store) === undefined || isSubstituted(path)) return [];
  const message =
    'contains a password, and secrets do not belong in this file: write $NAME and set NAME in ' +
    'the environment, or put the password into the file that PGPASSFILE names';
  return [{ path, at: 'value', message }];
}

/** The password in a database address, if there is one. */
export function passwordIn(store: string): string | undefined {
  if (!URL.canParse(store)) return undefined;
  const { password, searchParams } = new URL(store);
  return decodeURIComponent(password) || searchParams.get('password') || undefined;
}
