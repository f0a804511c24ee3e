import { resolve } from 'node:path';
import type { Place } from './mistake.ts';
import { addressIn, spellAddress } from './units.ts';
import { type Environment, lookUp } from './variable-references.ts';

/** A value of the `hall` section from a variable or a flag. */
export interface Override {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly place: Place;
}

interface Variable {
  readonly path: readonly string[];
  readonly read: (text: string, cwd: string) => unknown;
  /** The setting is the path of a file already. */
  readonly isFile?: true;
}

const asText = (text: string) => text;
const asPath = (text: string, cwd: string) => resolve(cwd, text);
const asList = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
/** Text that is not a number stays text, which the schema then refuses with the variable's name. */
const asNumber = (text: string) => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : text);

/** Each key of the `hall` section has a variable; with `_FILE` appended, it names a file instead. */
export const VARIABLES: Readonly<Record<string, Variable>> = {
  GUILDHALL_DATA: { path: ['data'], read: asPath },
  GUILDHALL_LISTEN: { path: ['listen'], read: asText },
  GUILDHALL_PUBLIC_URL: { path: ['public_url'], read: asText },
  GUILDHALL_NODE_URL: { path: ['node_url'], read: asText },
  GUILDHALL_STORE: { path: ['store'], read: asText },
  GUILDHALL_SECRETS_KEY: { path: ['secrets_key'], read: asPath, isFile: true },
  GUILDHALL_AUTH_MODE: { path: ['auth', 'mode'], read: asText },
  GUILDHALL_HEARTBEAT_SECONDS: { path: ['heartbeat_seconds'], read: asNumber },
  GUILDHALL_DEAD_AFTER_SECONDS: { path: ['dead_after_seconds'], read: asNumber },
  GUILDHALL_GRACE_SECONDS: { path: ['grace_seconds'], read: asNumber },
  GUILDHALL_CONTAINER_PREFIX: { path: ['container_prefix'], read: asText },
  GUILDHALL_MAX_RECRUITS: { path: ['max_recruits'], read: asNumber },
  GUILDHALL_DISK_BUDGET_MB: { path: ['disk_budget_mb'], read: asNumber },
  GUILDHALL_ALLOWED_HOSTS: { path: ['allowed_hosts'], read: asList },
  GUILDHALL_RETENTION_LOG: { path: ['retention', 'log'], read: asText },
  GUILDHALL_RETENTION_SESSIONS: { path: ['retention', 'sessions'], read: asText },
  GUILDHALL_RETENTION_WORK: { path: ['retention', 'work'], read: asText },
  GUILDHALL_APPROVAL_TIMEOUT: { path: ['approval_timeout'], read: asText },
  GUILDHALL_SOURCES_POLL_SECONDS: { path: ['sources', 'poll_seconds'], read: asNumber },
  GUILDHALL_SOURCES_RETRY_SECONDS: { path: ['sources', 'retry_seconds'], read: asNumber },
  GUILDHALL_SOURCES_PROBE_SECONDS: { path: ['sources', 'probe_seconds'], read: asNumber },
  GUILDHALL_RETENTION_DECISIONS: { path: ['retention', 'decisions'], read: asText },
  GUILDHALL_RETENTION_ANSWERS: { path: ['retention', 'answers'], read: asText },
};

export interface Flags {
  readonly data?: string | undefined;
  readonly listen?: string | undefined;
}

interface Overrides {
  readonly overrides: readonly Override[];
  readonly faults: readonly {
    readonly place: Place;
    readonly path: string;
    readonly message: string;
  }[];
}

/** What overrides the file, weakest first: PORT and HOST, then our own variables, then flags. */
export function overridesFrom(
  environment: Environment,
  flags: Flags,
  { cwd, listen }: { readonly cwd: string; readonly listen: string },
): Overrides {
  const faults: Overrides['faults'][number][] = [];
  const fromVariables = Object.entries(VARIABLES).flatMap(([name, variable]): Override[] => {
    const { path, read } = variable;
    const set = [name, `${name}_FILE`].find((each) => environment[each]);
    if (set === undefined) return [];
    const isNested = variable.isFile && set !== name;
    const found = isNested ? NESTED : lookUp(set, { environment, cwd });
    const place = { variable: set };
    if ('value' in found) return [{ path, value: read(found.value, cwd), place }];
    faults.push({ place, path: `hall.${path.join('.')}`, message: found.fault });
    return [];
  });
  return {
    overrides: [...fromPlatform(environment, listen), ...fromVariables, ...fromFlags(flags, cwd)],
    faults,
  };
}

/** The content of the file, which is the key itself, would be taken for a path and shown. */
const NESTED = { fault: 'is not read: set the variable without _FILE to the path of the key file' };

/** Container platforms set these two. */
function fromPlatform({ PORT, HOST }: Environment, listen: string): readonly Override[] {
  if (!PORT && !HOST) return [];
  const written = addressIn(listen);
  const host = HOST || written?.host || '127.0.0.1';
  const port = PORT || String(written?.port ?? '');
  const value = /^\d+$/.test(port) ? spellAddress({ host, port: Number(port) }) : `${host}:${port}`;
  return [{ path: ['listen'], value, place: { variable: PORT ? 'PORT' : 'HOST' } }];
}

function fromFlags({ data, listen }: Flags, cwd: string): readonly Override[] {
  return [
    ...(data === undefined
      ? []
      : [{ path: ['data'], value: resolve(cwd, data), place: { flag: '--data' } }]),
    ...(listen === undefined
      ? []
      : [{ path: ['listen'], value: listen, place: { flag: '--listen' } }]),
  ];
}
