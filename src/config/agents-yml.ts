import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { nearest } from '../api/did-you-mean.ts';
import { spellPath } from '../api/validate.ts';
import { SYSTEM_NAMES } from '../domain/agent-name.ts';
import { BUILT_IN_TOOLS, HALL_SERVER, serverIn, serverTools } from '../domain/agent-tools.ts';
import type { Entry } from '../domain/apply-config.ts';
import type { McpServer, PersonaSettings } from '../domain/persona.ts';
import type { Config } from './config.ts';
import { type Fields, fieldsIn, listIn, textIn, valueAt } from './fields.ts';
import { type ConfigMistake, ConfigRefused, inOrder, type Path } from './mistake.ts';
import { AgentsFile, type PersonaEntry } from './persona-schema.ts';
import { PRODUCT_FOLDER } from './product-folder.ts';
import { readSource, type SourceFile, sourceFile } from './read-source.ts';
import { createKeys } from './schema-keys.ts';
import { type Violation, violationsIn } from './validation-messages.ts';
import type { YamlSource } from './yaml-source.ts';

/** The catalog of personas. */
export interface Catalog {
  /** Null when the operator's file has mistakes. */
  readonly entries: readonly Entry<PersonaSettings>[] | null;
  readonly mistakes: readonly ConfigMistake[];
  /** What the files were like just before they were read. */
  readonly stamp: string;
}

interface CatalogNeeds {
  /** The folder of the configuration file. */
  readonly folder: string;
  readonly cwd: string;
  /** The agent types that there are. */
  readonly types: readonly string[];
}

const CATALOG_FILE = 'agents.yml';

/**
 * The personas of the operator's agents.yml, and those of the product's that it does not have. A persona of the
 * product whose type this hall does not have is left out.
 */
export function readCatalog({ folder, cwd, types }: CatalogNeeds): Catalog {
  const file = sourceFile(join(folder, CATALOG_FILE), cwd);
  const stamp = catalogStamp(folder);
  try {
    const own = existsSync(file.path) ? entriesIn(file, { folder, types }) : [];
    const named = new Set(own.map(({ name }) => name));
    const others = productEntries().filter(
      ({ name, settings }) => !named.has(name) && types.includes(settings.type),
    );
    return { entries: [...own, ...others], mistakes: [], stamp };
  } catch (error) {
    if (!(error instanceof ConfigRefused)) throw error;
    return { entries: null, mistakes: error.mistakes, stamp };
  }
}

/** The configuration with its catalog as it is now. */
export function rereadCatalog(config: Config): Config {
  const types = config.declaration.types.map(({ name }) => name);
  const { folder, cwd } = config;
  const { entries, mistakes, stamp } = readCatalog({ folder, cwd, types });
  const declaration = { ...config.declaration, personas: entries };
  return { ...config, declaration, catalogMistakes: mistakes, catalogStamp: stamp };
}

/** Changes whenever the catalog may have changed: the file itself, or which persona files there are. */
export function catalogStamp(folder: string): string {
  const paths = [join(folder, CATALOG_FILE), join(folder, 'roster')];
  return paths.map(stampOf).join('\n');
}

function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.mtimeMs} ${stat.size} ${stat.ino}` : '';
}

function productEntries(): readonly Entry<PersonaSettings>[] {
  const file = sourceFile(join(PRODUCT_FOLDER, CATALOG_FILE), PRODUCT_FOLDER);
  const { agents } = AgentsFile.parse(readSource(file, 'the installation is incomplete').value);
  return Object.entries(agents ?? {}).map(([name, entry]) => ({
    name,
    settings: settingsOf(entry),
    declared: null,
  }));
}

type Surroundings = Pick<CatalogNeeds, 'folder' | 'types'>;

function entriesIn(file: SourceFile, around: Surroundings): readonly Entry<PersonaSettings>[] {
  const source = readSource(file, 'the hall reads it beside its configuration file');
  const parsed = AgentsFile.safeParse(source.value);
  const violations = [
    ...(parsed.error?.issues ?? []).flatMap((issue) => violationsIn(issue, contextOf(source))),
    ...crossChecks(source.value, around),
  ];
  if (violations.length > 0 || !parsed.data) {
    throw new ConfigRefused(inOrder(violations.map((each) => mistakeAt(source, each))));
  }
  return Object.entries(parsed.data.agents ?? {}).map(([name, entry]) => ({
    name,
    settings: settingsOf(entry),
    declared: lineOf(source, ['agents', name]),
  }));
}

const keysAt = createKeys(AgentsFile);

function contextOf({ value }: YamlSource) {
  return {
    keysAt: (path: Path) => keysAt(path, value),
    isWritten: (path: Path) => valueAt(value, path) !== undefined,
  };
}

function mistakeAt(source: YamlSource, { path, at, message }: Violation): ConfigMistake {
  const place = at === 'key' ? source.keyAt(path) : source.valueAt(path);
  return { place, path: spellPath(path), message };
}

function lineOf(source: YamlSource, path: Path) {
  const place = source.keyAt(path);
  return { file: source.file, line: 'line' in place ? place.line : 1 };
}

function settingsOf(entry: PersonaEntry): PersonaSettings {
  return {
    type: entry.type,
    displayName: entry.display_name,
    author: entry.author,
    teams: entry.teams,
    model: entry.model,
    maxRetries: entry.max_retries,
    maxTurns: entry.max_turns,
    roles: entry.roles,
    domains: entry.domains,
    scopeSummary: entry.scope_summary,
    mcpServers: Object.entries(entry.mcp_servers).map(([name, server]) => serverOf(name, server)),
    allowedTools: entry.allowed_tools,
  };
}

function serverOf(name: string, { command, url }: PersonaEntry['mcp_servers'][string]): McpServer {
  return command === null ? { name, url: url ?? '' } : { name, command };
}

/** What a schema cannot know. The raw values are read, so that all mistakes are reported together. */
function crossChecks(raw: unknown, around: Surroundings): readonly Violation[] {
  const agents = fieldsIn(raw, 'agents') ?? {};
  return Object.keys(agents).flatMap((slug) => {
    const entry = fieldsIn(agents, slug) ?? {};
    const path: Path = ['agents', slug];
    return [
      ...nameFaults(slug, around).map((message): Violation => ({ path, at: 'key', message })),
      ...unknownType(entry, path, around.types),
      ...hallServer(entry, path),
      ...unknownTools(entry, path),
    ];
  });
}

function nameFaults(slug: string, { folder }: Surroundings): readonly string[] {
  if (SYSTEM_NAMES.includes(slug)) {
    return [`hall:${slug} is a label of the hall itself, so no agent can have this name`];
  }
  const file = `roster/${slug}.md`;
  const hasFile = [folder, PRODUCT_FOLDER].some((root) => existsSync(join(root, file)));
  return hasFile ? [] : [`has no persona file: write ${file}, which says who it is`];
}

function unknownType(entry: Fields, path: Path, types: readonly string[]): readonly Violation[] {
  const type = textIn(entry, 'type') ?? 'dev';
  if (types.includes(type)) return [];
  const message = `there is no type ${type} (${hintOf(type, types, 'types')})`;
  return [{ path: [...path, 'type'], at: 'value', message }];
}

/** Its tools end the run; another server by that name would hide them. */
function hallServer(entry: Fields, path: Path): readonly Violation[] {
  if (!(HALL_SERVER in (fieldsIn(entry, 'mcp_servers') ?? {}))) return [];
  const message = "is the name of the hall's own tools; choose another";
  return [{ path: [...path, 'mcp_servers', HALL_SERVER], at: 'key', message }];
}

function unknownTools(entry: Fields, path: Path): readonly Violation[] {
  const servers = Object.keys(fieldsIn(entry, 'mcp_servers') ?? {});
  const known = [...BUILT_IN_TOOLS, ...servers.map(serverTools)];
  return listIn(entry, 'allowed_tools').flatMap((tool, at): Violation[] => {
    if (typeof tool !== 'string' || known.includes(tool)) return [];
    const server = serverIn(tool);
    if (server !== undefined && servers.includes(server)) return [];
    const message = `is not a tool of this agent (${hintOf(tool, known, 'tools')})`;
    return [{ path: [...path, 'allowed_tools', at], at: 'value', message }];
  });
}

function hintOf(word: string, known: readonly string[], kind: string): string {
  const suggestion = nearest(word, known);
  return suggestion ? `did you mean ${suggestion}?` : `known ${kind}: ${known.join(', ')}`;
}
