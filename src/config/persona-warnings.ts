import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT_IN_TOOLS } from '../domain/agent-tools.ts';
import type { Declaration, Entry } from '../domain/apply-config.ts';
import { reachableHosts } from '../domain/network.ts';
import type { PersonaSettings } from '../domain/persona.ts';
import { defaultInstance } from '../domain/pool.ts';
import { PRODUCT_FOLDER } from './product-folder.ts';

type Catalogued = Pick<Declaration, 'projects' | 'types'> & {
  readonly personas: readonly Entry<PersonaSettings>[];
};

/** What is allowed in the catalog of personas but may be a mistake. */
export function personaWarnings(declaration: Declaration, folder: string): readonly string[] {
  const { personas } = declaration;
  if (personas === null) return [];
  const catalogued = { ...declaration, personas };
  return [
    ...personas.flatMap((persona) =>
      [
        ...nameWarnings(persona, catalogued),
        ...commandWarnings(persona, catalogued),
        ...toolWarnings(persona),
        ...hostWarnings(persona, catalogued),
      ].map((warning) => `${whereIs(persona)}: ${warning}`),
    ),
    ...typeWarnings(catalogued, folder),
    ...filesWithoutEntry(catalogued, folder),
  ];
}

function whereIs({ name, declared }: Entry<PersonaSettings>): string {
  return declared ? `${declared.file}:${declared.line} agents.${name}` : `persona ${name}`;
}

function nameWarnings({ name }: Entry<PersonaSettings>, { types }: Catalogued): readonly string[] {
  const names = types.map((type) => type.name);
  if (names.map(defaultInstance).includes(name)) {
    return [`${name} is also an instance, and the name means the instance`];
  }
  return names.includes(name)
    ? [`${name} is also an agent type; as the agent of a task it means the persona`]
    : [];
}

/** The tools of a command are its own. */
function commandWarnings(
  { settings }: Entry<PersonaSettings>,
  { types }: Catalogued,
): readonly string[] {
  const type = types.find(({ name }) => name === settings.type);
  if (type?.settings.backend.kind !== 'command') return [];
  const { allowedTools, mcpServers, maxTurns } = settings;
  const idle = [
    ...(allowedTools === null ? [] : ['allowed_tools']),
    ...(mcpServers.length === 0 ? [] : ['mcp_servers']),
    ...(maxTurns === null ? [] : ['max_turns']),
  ];
  if (idle.length === 0) return [];
  return [`${idle.join(', ')} has no effect: agents of type ${settings.type} are a command`];
}

function toolWarnings({ settings: { allowedTools } }: Entry<PersonaSettings>): readonly string[] {
  if (allowedTools === null || allowedTools.some((tool) => BUILT_IN_TOOLS.includes(tool)))
    return [];
  return ['allowed_tools lists neither Bash nor a tool for files, so it can read and write none'];
}

/** The proxy of the cell refuses every host that project and type do not both allow. */
function hostWarnings(
  { settings: { type, mcpServers } }: Entry<PersonaSettings>,
  { projects, types }: Catalogued,
): readonly string[] {
  const own = types.find(({ name }) => name === type)?.settings.network ?? null;
  return mcpServers.flatMap((server) => {
    if (!('url' in server) || projects.length === 0) return [];
    const { host } = new URL(server.url);
    const isReached = projects.some(
      ({ settings }) => reachableHosts(reachableHosts(settings.network, own), [host]).length > 0,
    );
    return isReached
      ? []
      : [`no project allows ${host}, so its MCP server ${server.name} cannot be reached`];
  });
}

function typeWarnings({ types, personas }: Catalogued, folder: string): readonly string[] {
  return types.flatMap(({ name, settings: { persona } }) => {
    if (persona === null) return [];
    const entry = personas.find((each) => each.name === persona);
    if (entry && entry.settings.type !== name) {
      return [
        `types.${name}.persona: ${persona} is of type ${entry.settings.type}, which continues the threads that it starts`,
      ];
    }
    const hasFile = [folder, PRODUCT_FOLDER].some((root) => existsSync(personaFile(root, persona)));
    return hasFile ? [] : [`types.${name}.persona: there is no roster/${persona}.md`];
  });
}

function personaFile(root: string, slug: string): string {
  return join(root, 'roster', `${slug}.md`);
}

/** Persona files of the operator that nobody can ask for. */
function filesWithoutEntry({ types, personas }: Catalogued, folder: string): readonly string[] {
  const roster = join(folder, 'roster');
  if (folder === PRODUCT_FOLDER || !existsSync(roster)) return [];
  const known = new Set([
    ...personas.map(({ name }) => name),
    ...types.flatMap(({ name, settings }) => [settings.persona, name, defaultInstance(name)]),
  ]);
  return readdirSync(roster)
    .flatMap((file) => /^(.+)\.md$/.exec(file)?.[1] ?? [])
    .filter((slug) => !known.has(slug))
    .map((slug) => `roster/${slug}.md has no entry in agents.yml, so no task can ask for ${slug}`);
}
