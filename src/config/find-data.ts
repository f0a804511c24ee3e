import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Flags, overridesFrom } from './environment-overrides.ts';
import { fieldsIn } from './fields.ts';
import { type Environment, resolveReferences } from './variable-references.ts';

export interface ConfigLocation {
  /** The file named on the command line. */
  readonly config?: string | undefined;
  readonly flags: Flags;
  readonly environment: Environment;
  readonly cwd: string;
}

/** Where a hall keeps its data, and whether it shares a database with other nodes. */
export interface DataLocation {
  readonly data: string;
  readonly isShared: boolean;
}

export interface FoundData extends DataLocation {
  /** Nothing was configured, so nothing can be wrong with it. */
  readonly isDefault: boolean;
}

export const DEFAULT_FILE = 'guildhall.yaml';

/** The path of the configuration file; undefined where there is none and the defaults apply. */
export function configPath({ config, environment, cwd }: ConfigLocation): string | undefined {
  const named = config ?? (environment['GUILDHALL_CONFIG'] || undefined);
  const path = resolve(cwd, named ?? DEFAULT_FILE);
  return named === undefined && !existsSync(path) ? undefined : path;
}

/**
 * Finds the data folder without checking the configuration: loading the schema takes longer than most commands.
 * Undefined where only the complete check can say what is wrong.
 */
export async function findData(location: ConfigLocation): Promise<FoundData | undefined> {
  const { environment, flags, cwd } = location;
  const path = configPath(location);
  const file = path === undefined ? {} : await readHall(path);
  if (file === undefined) return undefined;
  const { overrides, faults } = overridesFrom(environment, flags, { cwd, listen: '' });
  const above = Object.fromEntries(overrides.map(({ path: [key = ''], value }) => [key, value]));
  const { data = './data', store = 'sqlite' } = { ...file, ...above };
  const resolved = resolveReferences([data, store], { environment, cwd }, String);
  const [folder, kind] = (resolved.value as unknown[]).map(textOf);
  if (!folder || !kind || faults.length > 0 || resolved.faults.length > 0) return undefined;
  return {
    data: resolve(path === undefined ? cwd : dirname(path), folder),
    isShared: kind !== 'sqlite',
    isDefault: path === undefined && overrides.length === 0,
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.trim() : undefined;
}

/** The section `hall` of the file; undefined if it cannot be read. */
async function readHall(path: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { parseYaml } = await import('./yaml-source.ts');
  try {
    const source = parseYaml(path, readFileSync(path, 'utf8'));
    return 'value' in source ? (fieldsIn(source.value, 'hall') ?? {}) : undefined;
  } catch {
    return undefined;
  }
}
