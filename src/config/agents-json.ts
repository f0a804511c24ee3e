import { spellPath } from '../api/validate.ts';
import { type Fields, isFields, listIn, textIn } from './fields.ts';
import type { Path } from './mistake.ts';
import { AGENT_TYPE_KEYS } from './schema.ts';

/** The agent types of a claude-hooks `config/agents.json`, in the format of the `types` section. */
interface ConvertedTypes {
  readonly value: unknown;
  /** Where in that file a value of ours was written. */
  readonly originOf: (path: Path) => Path;
  /** What the forge that the file names needs and a type lacks. */
  readonly missing: readonly Path[];
  /** What is in the file and not used, with what to do instead. */
  readonly warnings: readonly string[];
  /** The repositories that the file lists: `owner/name`. */
  readonly repos: readonly string[];
}

interface Surroundings {
  /** Makes a path absolute. Those in the file are relative to the folder of the configuration, as they were. */
  readonly absolute: (path: string) => string;
}

/** Keys with another name here. Each may be spelt as `tokenPath` or `token_path`. */
const RENAMED_KEYS: Readonly<Record<string, readonly string[]>> = {
  default_model: ['model'],
  default_image: ['image'],
  default_container_image: ['image'],
  forgejo_user: ['forge_user'],
  gitea_user: ['forge_user'],
  github_user: ['forge_user'],
  token_file: ['token_path'],
  git_identity: ['git'],
  git_name: ['git', 'name'],
  git_email: ['git', 'email'],
  gpg_key_id: ['gpg_key'],
  gpg_key_file: ['gpg_key'],
};

const PATHS = ['token_file', 'gpg_key_file'];

/** Keys of claude-hooks that mean nothing here, with what takes their place. */
const REPLACED_KEYS: Readonly<Record<string, string>> = {
  default_system_prompt: 'write it to roster/<name>.md and name it as the persona of the type',
  webhook_secret_file: 'the webhook secret belongs to the forge: see guildhall forge add',
  forgejo_url: 'the forge is connected under forges: see guildhall forge add',
  forgejo_mcp_command: 'the hall talks to the forge itself, and agents need no access to it',
};

export function convertAgentsJson(json: unknown, { absolute }: Surroundings): ConvertedTypes {
  const { types, above } = unwrap(json);
  const rest = above.length > 0 && isFields(json) ? json : {};
  const repos = listIn(rest, 'repos').filter((repo) => typeof repo === 'string');
  const nothing = { missing: [], warnings: [], repos };
  if (!isFields(types)) return { value: types, originOf: () => above, ...nothing };
  const origins = new Map<string, Path>();
  const warnings: string[] = Object.keys(rest)
    .filter((key) => key !== above[0] && snake(key) !== 'repos')
    .map((key) => unusedText([key]));
  const value = Object.fromEntries(
    Object.entries(types).map(([name, entry]) => {
      const theirs = [...above, name];
      origins.set(spellPath([name]), theirs);
      if (!isFields(entry)) return [name, entry];
      const { used, unused } = withoutUnknown(entry);
      warnings.push(...unused.map((key) => unusedText([...theirs, key])));
      return [name, adoptType(withPaths(used, absolute), [name], theirs, origins)];
    }),
  );
  return {
    value,
    originOf: (path) => nearestOrigin(origins, path) ?? above,
    missing: textIn(rest, 'forgejo_url') === undefined ? [] : missingAccounts(value, above),
    warnings,
    repos,
  };
}

/** The types are at the top level of the file or under one of these keys. */
function unwrap(json: unknown): { readonly types: unknown; readonly above: Path } {
  for (const key of ['agents', 'types']) {
    if (isFields(json) && isFields(json[key])) return { types: json[key], above: [key] };
  }
  return { types: json, above: [] };
}

/** Files in the wild have keys of other versions: these are no mistakes. */
function withoutUnknown(entry: Fields): { readonly used: Fields; readonly unused: string[] } {
  const isUsed = (key: string) =>
    snake(key) in RENAMED_KEYS || AGENT_TYPE_KEYS.includes(snake(key));
  const keys = Object.keys(entry);
  const used = Object.entries(entry).filter(([key]) => isUsed(key));
  return { used: Object.fromEntries(used), unused: keys.filter((key) => !isUsed(key)) };
}

function unusedText(path: Path): string {
  const instead = REPLACED_KEYS[snake(String(path.at(-1)))] ?? 'there is no such setting';
  return `${spellPath(path)} is not used: ${instead}`;
}

function withPaths(entry: Fields, absolute: (path: string) => string): Fields {
  const entries = Object.entries(entry).map(([key, value]) => {
    const isPath = PATHS.includes(snake(key)) && typeof value === 'string' && value !== '';
    return [key, isPath ? absolute(value) : value];
  });
  return Object.fromEntries(entries);
}

/** On Forgejo each type acts with an account of its own. */
function missingAccounts(types: Fields, above: Path): readonly Path[] {
  return Object.entries(types).flatMap(([name, type]) => {
    if (!isFields(type)) return [];
    const lacks = (key: string) => type[key] === undefined || type[key] === null;
    return [
      ...(lacks('forge_user') ? [[...above, name, 'forgejo_user']] : []),
      ...(lacks('token_path') ? [[...above, name, 'token_file']] : []),
    ];
  });
}

function adoptType(entry: Fields, ours: Path, theirs: Path, origins: Map<string, Path>): Fields {
  const adopted: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(entry)) {
    const word = snake(key);
    const [first = word, second] = RENAMED_KEYS[word] ?? [word];
    origins.set(spellPath([...ours, first]), [...theirs, key]);
    if (second === undefined) {
      adopted[first] = isFields(value)
        ? adoptType(value, [...ours, first], [...theirs, key], origins)
        : value;
      continue;
    }
    origins.set(spellPath([...ours, first, second]), [...theirs, key]);
    const before = adopted[first];
    adopted[first] = { ...(isFields(before) ? before : {}), [second]: value };
  }
  return adopted;
}

function nearestOrigin(origins: ReadonlyMap<string, Path>, path: Path): Path | undefined {
  for (let length = path.length; length > 0; length -= 1) {
    const found = origins.get(spellPath(path.slice(0, length)));
    if (found) return found;
  }
  return undefined;
}

function snake(key: string): string {
  return key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
}
