import { dirname, resolve } from 'node:path';
import { spellPath } from '../api/validate.ts';
import { operatorCommand } from '../domain/operator-command.ts';
import { convertAgentsJson } from './agents-json.ts';
import { type Catalog, readCatalog } from './agents-yml.ts';
import { assemble } from './assemble.ts';
import { caVariablesIn } from './ca-variables.ts';
import type { Config } from './config.ts';
import type { ConvertedFile } from './converted-warnings.ts';
import { crossChecks } from './cross-checks.ts';
import { type Override, overridesFrom } from './environment-overrides.ts';
import { fieldsIn, isFields, textIn, valueAt } from './fields.ts';
import { type ConfigLocation, configPath, DEFAULT_FILE } from './find-data.ts';
import { machineVariablesIn } from './machine-variables.ts';
import { type ConfigMistake, ConfigRefused, inOrder, type Path, type Place } from './mistake.ts';
import { readSource, sourceFile } from './read-source.ts';
import { ConfigFile } from './schema.ts';
import { createKeys } from './schema-keys.ts';
import { BUILT_IN_NAMES } from './to-declaration.ts';
import { type Violation, violationsIn } from './validation-messages.ts';
import { type Resolved, resolveReferences } from './variable-references.ts';
import type { YamlSource } from './yaml-source.ts';

interface LoadOptions extends ConfigLocation {
  /**
   * `hall` loads only that section: a command that calls a running hall does not need the secrets
   * that the hall was started with.
   */
  readonly part: 'all' | 'hall';
  /** `optional` turns a missing secret into a warning: only a hall that starts needs it. */
  readonly secrets?: 'optional' | undefined;
}

/** Finds, reads and checks the configuration. Throws `ConfigRefused` with all mistakes at once. */
export function loadConfig(options: LoadOptions): Config {
  const source = findSource(options);
  const { raw, typesFrom, faults, converted } = withTypes(source, options);
  const above = overridesFrom(options.environment, options.flags, {
    cwd: options.cwd,
    listen: listenIn(raw),
  });
  const merged = withOverrides(options.part === 'hall' ? onlyHall(raw) : raw, above.overrides);
  const resolved = resolveReferences(merged, options, spellPath);
  const places: Places = { source, typesFrom, overrides: above.overrides };
  const parsed = ConfigFile.safeParse(resolved.value);
  const folder = source ? dirname(resolve(options.cwd, source.file)) : options.cwd;
  const violations = [
    ...resolved.faults.map((fault): Violation => ({ ...fault, at: 'value' })),
    ...(options.secrets === 'optional' ? [] : resolved.missingSecrets).map(
      (fault): Violation => ({ ...fault, at: 'value' }),
    ),
    ...(parsed.error ? schemaViolations(parsed.error.issues, resolved) : []),
    ...crossChecks(resolved, {
      folder,
      isSubstituted: (path) => isSubstituted(path, resolved, places),
    }),
  ];
  const mistakes = [...faults, ...above.faults, ...violations.map((each) => mistake(each, places))];
  const catalog = options.part === 'all' ? catalogBeside(folder, raw, options) : NO_CATALOG;
  if (mistakes.length > 0 || !parsed.data) {
    throw new ConfigRefused([...inOrder(mistakes), ...catalog.mistakes]);
  }
  return assemble({
    file: parsed.data,
    source: source?.file ?? null,
    folder,
    cwd: options.cwd,
    catalog,
    machine: machineVariablesIn(options.environment),
    caVariables: caVariablesIn(options.environment, options.cwd),
    resolved,
    converted,
    overrides: above.overrides,
    placeOf: (path) => placeOf(path, 'key', places),
  });
}

/** Personas are beside the types that they need, whether or not the file has mistakes. */
function catalogBeside(folder: string, raw: unknown, { cwd }: LoadOptions): Catalog {
  const declared = fieldsIn(raw, 'types');
  return readCatalog({ folder, cwd, types: declared ? Object.keys(declared) : BUILT_IN_NAMES });
}

const NO_CATALOG: Catalog = { entries: null, mistakes: [], stamp: '' };

function findSource(options: LoadOptions): YamlSource | undefined {
  const path = configPath(options);
  if (path === undefined) return undefined;
  const file = sourceFile(path, options.cwd);
  return readSource(file, `create one with: ${operatorCommand('init')}`);
}

interface TypesSource {
  readonly raw: unknown;
  readonly typesFrom: Pick<YamlSource, 'keyAt' | 'valueAt'> | undefined;
  readonly faults: readonly ConfigMistake[];
  /** What a file of claude-hooks says besides. */
  readonly converted?: ConvertedFile;
}

/** `types:` may name a file in the format of claude-hooks instead of listing the types. */
function withTypes(source: YamlSource | undefined, { cwd, part }: LoadOptions): TypesSource {
  const raw = source?.value ?? {};
  const path = part === 'all' && isFields(raw) ? raw['types'] : undefined;
  if (!source || typeof path !== 'string') return { raw, typesFrom: undefined, faults: [] };
  try {
    const file = sourceFile(resolve(cwd, dirname(source.file), path), cwd);
    const json = readSource(file, `it is named under types in ${source.file}`);
    const folder = resolve(cwd, dirname(source.file));
    const absolute = (written: string) => resolve(folder, written);
    const { value, originOf, missing, ...converted } = convertAgentsJson(json.value, { absolute });
    const typesFrom = {
      keyAt: (at: Path) => json.keyAt(originOf(at)),
      valueAt: (at: Path) => json.valueAt(originOf(at)),
    };
    const faults = missing.map((at): ConfigMistake => {
      const message = 'is missing: the forge of this file needs it';
      return { place: json.valueAt(at), path: spellPath(at), message };
    });
    const shown = { ...converted, file: json.file };
    return { raw: { ...(raw as object), types: value }, typesFrom, faults, converted: shown };
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

const keysAt = createKeys(ConfigFile);

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
