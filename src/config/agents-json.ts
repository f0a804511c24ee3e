import { spellPath } from '../api/validate.ts';
import { type Fields, isFields } from './fields.ts';
import type { Path } from './mistake.ts';

/** The agent types of a claude-hooks `config/agents.json`, in the format of the `types` section. */
interface ConvertedTypes {
  readonly value: unknown;
  /** Where in that file a value of ours was written. */
  readonly originOf: (path: Path) => Path;
}

/** Keys with another name here. Each may be spelt as `tokenPath` or `token_path`. */
const RENAMED_KEYS: Readonly<Record<string, readonly string[]>> = {
  default_model: ['model'],
  default_image: ['image'],
  forgejo_user: ['forge_user'],
  gitea_user: ['forge_user'],
  github_user: ['forge_user'],
  git_identity: ['git'],
  git_name: ['git', 'name'],
  git_email: ['git', 'email'],
  gpg_key_id: ['gpg_key'],
};

export function convertAgentsJson(json: unknown): ConvertedTypes {
  const { types, above } = unwrap(json);
  if (!isFields(types)) return { value: types, originOf: () => above };
  const origins = new Map<string, Path>();
  const value = Object.fromEntries(
    Object.entries(types).map(([name, entry]) => {
      origins.set(spellPath([name]), [...above, name]);
      return [name, isFields(entry) ? adoptType(entry, [name], [...above, name], origins) : entry];
    }),
  );
  return { value, originOf: (path) => nearestOrigin(origins, path) ?? above };
}

/** The types are at the top level of the file or under one of these keys. */
function unwrap(json: unknown): { readonly types: unknown; readonly above: Path } {
  for (const key of ['agents', 'types']) {
    if (isFields(json) && isFields(json[key])) return { types: json[key], above: [key] };
  }
  return { types: json, above: [] };
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
