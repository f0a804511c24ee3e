import { join, resolve } from 'node:path';
import { durationIn } from '../api/duration.ts';
import { spellPath } from '../api/validate.ts';
import type { Catalog } from './agents-yml.ts';
import type { Config, HallSettings, KeyPlace } from './config.ts';
import { type ConvertedFile, convertedWarnings } from './converted-warnings.ts';
import { passwordIn } from './cross-checks.ts';
import type { Override } from './environment-overrides.ts';
import type { MachineVariables } from './machine-variables.ts';
import type { Path, Place } from './mistake.ts';
import { personaWarnings } from './persona-warnings.ts';
import type { ConfigFile } from './schema.ts';
import { secretUsesOf } from './secret-uses.ts';
import { toDeclaration } from './to-declaration.ts';
import { addressIn } from './units.ts';
import type { Resolved } from './variable-references.ts';
import { warningsOf } from './warnings.ts';

interface Parts {
  readonly file: ConfigFile;
  readonly source: string | null;
  readonly folder: string;
  readonly machine: MachineVariables;
  readonly cwd: string;
  readonly catalog: Catalog;
  readonly caVariables: Config['caVariables'];
  readonly resolved: Resolved;
  /** A file of claude-hooks that the types come from. */
  readonly converted: ConvertedFile | undefined;
  readonly overrides: readonly Override[];
  readonly placeOf: (path: Path) => Place;
}

/** Puts together what the rest of the program is given, from a file that has no mistakes. */
export function assemble({
  file,
  source,
  folder,
  machine,
  cwd,
  catalog,
  caVariables,
  resolved,
  converted,
  overrides,
  placeOf,
}: Parts): Config {
  const declaredAt = (key: Path) => {
    const place = placeOf(key);
    return 'line' in place
      ? { file: place.file, line: place.line }
      : { file: source ?? '', line: 1 };
  };
  const hall = hallSettings(file.hall, { folder, source });
  const declared = toDeclaration(file, { declaredAt, folder });
  const declaration = { ...declared, personas: catalog.entries };
  return {
    file: source,
    folder,
    ...machine,
    cwd,
    caVariables,
    hall,
    forges: file.forges,
    declaration,
    catalogMistakes: catalog.mistakes,
    catalogStamp: catalog.stamp,
    secrets: secretsOf(file, resolved),
    accounts: accountsOf(file),
    secretUses: secretUsesOf(file),
    warnings: [
      ...missingSecrets(resolved),
      ...(converted ? convertedWarnings(converted, declaration) : []),
      ...warningsOf(file, { hall, declaration }),
      ...personaWarnings(declaration, folder),
    ],
    shown: shown(file, resolved, overrides),
    origins: originsOf(resolved, overrides),
  };
}

function missingSecrets({ missingSecrets: missing }: Resolved): readonly string[] {
  return missing.map(
    ({ path, message }) => `${spellPath(path)}: ${message} here; the hall needs it to start`,
  );
}

function hallSettings(
  hall: ConfigFile['hall'],
  { folder, source }: Pick<Parts, 'folder' | 'source'>,
): HallSettings {
  const data = resolve(folder, hall.data);
  const { heartbeat_seconds: heartbeat, dead_after_seconds: deadAfter } = hall;
  return {
    data,
    listen: addressIn(hall.listen) ?? { host: '127.0.0.1', port: 0 },
    publicUrl: hall.public_url,
    nodeUrl: hall.node_url,
    store: hall.store === 'sqlite' ? { kind: 'sqlite' } : { kind: 'postgres', url: hall.store },
    auth: hall.auth,
    secretsKey: keyPlace(hall.secrets_key, { folder, source, data }),
    // A worker may miss one heartbeat, not two: releasing the task of a worker that still works on it
    // would put two agents on one branch, which costs more than the idle minutes.
    heartbeat: (heartbeat ?? deadAfter / 2) * 1_000,
    deadAfter: deadAfter * 1_000,
    grace: hall.grace_seconds * 1_000,
    containerPrefix: hall.container_prefix,
    mostRecruits: hall.max_recruits,
    diskBudgetBytes: hall.disk_budget_mb === null ? null : hall.disk_budget_mb * 1024 ** 2,
    allowedHosts: hall.allowed_hosts,
    approvalTimeout: durationIn(hall.approval_timeout) ?? 0,
    sources: {
      poll: hall.sources.poll_seconds * 1_000,
      first: hall.sources.retry_seconds * 1_000,
      probe: hall.sources.probe_seconds * 1_000,
    },
    retention: {
      log: durationIn(hall.retention.log) ?? 0,
      sessions: durationIn(hall.retention.sessions) ?? 0,
      work: durationIn(hall.retention.work) ?? 0,
      answers: durationIn(hall.retention.answers) ?? 0,
      decisions: durationIn(hall.retention.decisions) ?? 0,
    },
  };
}

/**
 * By default beside the file that configures the hall. Without one, beside the data folder and named after it: the
 * hall and its commands then have nothing else in common, wherever they are started.
 */
function keyPlace(
  written: ConfigFile['hall']['secrets_key'],
  { folder, source, data }: Pick<Parts, 'folder' | 'source'> & { readonly data: string },
): KeyPlace {
  if (typeof written === 'string') return { kind: 'file', path: resolve(folder, written) };
  if (written !== null) return { kind: 'command', command: written.command, cwd: folder };
  return { kind: 'file', path: source === null ? `${data}.key` : join(folder, 'hall.key') };
}

/** The database password has no reference of its own, but must not be logged either. */
function secretsOf({ hall }: ConfigFile, { secrets }: Resolved): ReadonlyMap<string, string> {
  const password = passwordIn(hall.store);
  return password === undefined ? secrets : new Map([...secrets, ['hall.store', password]]);
}

function accountsOf({ invokers }: ConfigFile): Config['accounts'] {
  return new Map(
    invokers.map(({ handle, url, credential }) => [handle, { url, reference: credential }]),
  );
}

/** Shows variables of the file by name, not by value. */
function shown(
  file: ConfigFile,
  { written }: Resolved,
  overrides: readonly Override[],
): ConfigFile {
  const walk = (value: unknown, path: Path): unknown => {
    const reference = written.get(spellPath(path));
    if (reference !== undefined) return reference;
    if (Array.isArray(value)) return value.map((entry, at) => walk(entry, [...path, at]));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    return Object.fromEntries(entries.map(([key, below]) => [key, walk(below, [...path, key])]));
  };
  const plain = walk(file, []) as ConfigFile;
  const store = overrides.findLast(({ path }) => path[0] === 'store')?.place;
  if (!store || !('variable' in store)) return plain;
  return { ...plain, hall: { ...plain.hall, store: `$${store.variable}` } };
}

function originsOf(
  { written }: Resolved,
  overrides: readonly Override[],
): Readonly<Record<string, string>> {
  const origins: Record<string, string> = Object.fromEntries(written);
  for (const { path, place } of overrides) {
    const key = spellPath(['hall', ...path]);
    if ('variable' in place) origins[key] = `$${place.variable}`;
    if ('flag' in place) origins[key] = place.flag;
  }
  return origins;
}
