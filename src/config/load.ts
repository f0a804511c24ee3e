import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { spellPath } from '../api/validate.ts';
import { operatorCommand } from '../domain/operator-command.ts';
import { convertAgentsJson } from './agents-json.ts';
import { assemble } from './assemble.ts';
import { caVariablesIn } from './ca-variables.ts';
import type { Config } from './config.ts';
import { crossChecks } from './cross-checks.ts';
import { type Flags, type Override, overridesFrom } from './environment-overrides.ts';
import { fieldsIn, isFields, textIn } from './fields.ts';
import { type ConfigMistake, ConfigRefused, type Path, type Place } from './mistake.ts';
import { ConfigFile } from './schema.ts';
import { keysAt } from './schema-keys.ts';
import { type Violation, violationsIn } from './validation-messages.ts';
import { type Environment, type Resolved, resolveReferences } from './variable-references.ts';
import { parseYaml, type YamlSource } from './yaml-source.ts';

interface LoadOptions {
  /** The file named on the command line. */
  readonly config?: string | undefined;
  readonly flags: Flags;
  readonly environment: Environment;
  readonly cwd: string;
  /**
   * `hall` loads only that section: a command that calls a running hall does not need the secrets
   * that the hall was started with.
   */
  readonly part: 'all' | 'hall';
  /** `optional` turns a missing secret into a warning: only a hall that starts needs it. */
  readonly secrets?: 'optional' | undefined;
}

/** The only place that reads the environment of the process. */
export function readEnvironment(): Environment {
  return { ...process.env };
}

/** Finds, reads and checks the configuration. Throws `ConfigRefused` with all mistakes at once. */
export function loadConfig(options: LoadOptions): Config {
  const source = findSource(options);
  const { raw, typesFrom, faults } = withTypes(source, options);
  const above = overridesFrom(options.environment, options.flags, {
    cwd: options.cwd,
    listen: listenIn(raw),
  });
  const merged = withOverrides(options.part === 'hall' ? onlyHall(raw) : raw, above.overrides);
  const resolved = resolveReferences(merged, options, spellPath);
  const places: Places = { source, typesFrom, overrides: above.overrides };
  const parsed = ConfigFile.safeParse(resolved.value);
  const violations = [
    ...resolved.faults.map((fault): Violation => ({ ...fault, at: 'value' })),
    ...(options.secrets === 'optional' ? [] : resolved.missingSecrets).map(
      (fault): Violation => ({ ...fault, at: 'value' }),
    ),
    ...(parsed.error ? schemaViolations(parsed.error.issues, resolved) : []),
    ...crossChecks(resolved, (path) => isSubstituted(path, resolved, places)),
  ];
  const mistakes = [...faults, ...above.faults, ...violations.map((each) => mistake(each, places))];
  if (mistakes.length > 0 || !parsed.data) throw new ConfigRefused(inOrder(mistakes));
  return assemble({
    file: parsed.data,
    source: source?.file ?? null,
    folder: source ? dirname(resolve(options.cwd, source.file)) : options.cwd,
    path: options.environment['PATH'] ?? '',
    caVariables: caVariablesIn(options.environment, options.cwd),
    resolved,
    overrides: above.overrides,
    placeOf: (path) => placeOf(path, 'key', places),
  });
}

const DEFAULT_FILE = 'guildhall.yaml';

function findSource({ config, environment, cwd }: LoadOptions): YamlSource | undefined {
  const named = config ?? (environment['GUILDHALL_CONFIG'] || undefined);
  if (named === undefined && !existsSync(resolve(cwd, DEFAULT_FILE))) return undefined;
  const file = displayPath(resolve(cwd, named ?? DEFAULT_FILE), cwd);
  return readSource(file, cwd, `create one with: ${operatorCommand('init')}`);
}

/** Relative where that is unambiguous, because people read it in refusals. */
function displayPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === '' || short.startsWith('..') || isAbsolute(short) ? path : short;
}

function readSource(file: string, cwd: string, hint: string): YamlSource {
  const source = parseYaml(file, textOf(file, cwd, hint));
  if (!('value' in source)) throw new ConfigRefused(source);
  return source;
}

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder',
};

function textOf(file: string, cwd: string, hint: string): string {
  try {
    return readFileSync(resolve(cwd, file), 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    const fault = UNREADABLE[code] ?? `could not be read (${code})`;
    const message = `${fault}; ${hint}`;
    const place = { file, line: 1, column: 1 };
    throw new ConfigRefused([{ place, path: '', message }], { cause: error });
  }
}

interface TypesSource {
  readonly raw: unknown;
  readonly typesFrom: Pick<YamlSource, 'keyAt' | 'valueAt'> | undefined;
  readonly faults: readonly ConfigMistake[];
}

/** `types:` may name a file in the format of claude-hooks instead of listing the types. */
function withTypes(source: YamlSource | undefined, { cwd, part }: LoadOptions): TypesSource {
  const raw = source?.value ?? {};
  const path = part === 'all' && isFields(raw) ? raw['types'] : undefined;
  if (!source || typeof path !== 'string') return { raw, typesFrom: undefined, faults: [] };
  try {
    const file = displayPath(resolve(cwd, dirname(source.file), path), cwd);
    const json = readSource(file, cwd, `it is named under types in ${source.file}`);
    const { value, originOf } = convertAgentsJson(json.value);
    const typesFrom = {
      keyAt: (at: Path) => json.keyAt(originOf(at)),
      valueAt: (at: Path) => json.valueAt(originOf(at)),
    };
    return { raw: { ...(raw as object), types: value }, typesFrom, faults: [] };
  } catch (error) {
    if (!(error instanceof ConfigRefused)) throw error;
    return {
      raw: { ...(raw as object), types: null },
      typesFrom: undefined,
      faults: error.mistakes,
    };
  }
}

function listenIn(raw: unknown): string {
  return textIn(fieldsIn(raw, 'hall'), 'listen') ?? ConfigFile.parse({}).hall.listen;
}

function onlyHall(raw: unknown): unknown {
  return isFields(raw) && 'hall' in raw ? { hall: raw['hall'] } : {};
}

function withOverrides(raw: unknown, overrides: readonly Override[]): unknown {
  let merged = raw;
  for (const { path, value } of overrides) merged = withValue(merged, ['hall', ...path], value);
  return merged;
}

/** Leaves a value of the wrong shape as it is: the schema reports what is wrong with it. */
function withValue(raw: unknown, path: readonly string[], value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  if (raw !== undefined && raw !== null && !isFields(raw)) return raw;
  return { ...raw, [first]: withValue(raw?.[first], rest, value) };
}

function schemaViolations(
  issues: Parameters<typeof violationsIn>[0][],
  { value, faults }: Resolved,
): readonly Violation[] {
  const reported = new Set(faults.map(({ path }) => spellPath(path)));
  const context = {
    keysAt: (path: Path) => keysAt(path, value),
    isWritten: (path: Path) => valueAt(value, path) !== undefined,
  };
  return issues
    .flatMap((issue) => violationsIn(issue, context))
    .filter(({ path }) => !reported.has(spellPath(path)));
}

function valueAt(value: unknown, path: Path): unknown {
  let here = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = Reflect.get(here, step);
  }
  return here;
}

interface Places {
  readonly source: YamlSource | undefined;
  readonly typesFrom: TypesSource['typesFrom'];
  readonly overrides: readonly Override[];
}

function isSubstituted(path: Path, { written }: Resolved, { overrides }: Places): boolean {
  return written.has(spellPath(path)) || overriding(path, overrides) !== undefined;
}

function overriding(path: Path, overrides: readonly Override[]): Override | undefined {
  return overrides.findLast((each) => spellPath(['hall', ...each.path]) === spellPath(path));
}

function mistake({ path, at, message }: Violation, places: Places): ConfigMistake {
  return { place: placeOf(path, at, places), path: spellPath(path), message };
}

function placeOf(path: Path, at: Violation['at'], { source, typesFrom, overrides }: Places): Place {
  const override = overriding(path, overrides);
  if (override) return override.place;
  const find = at === 'key' ? 'keyAt' : 'valueAt';
  if (typesFrom && path[0] === 'types' && path.length > 1) return typesFrom[find](path.slice(1));
  return source?.[find](path) ?? { file: DEFAULT_FILE, line: 1, column: 1 };
}

/** In the order of the file. */
function inOrder(mistakes: readonly ConfigMistake[]): readonly ConfigMistake[] {
  const line = ({ place }: ConfigMistake) =>
    'line' in place ? place.line * 1_000 + place.column : 0;
  return mistakes.toSorted((a, b) => line(a) - line(b));
}
