import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Path } from './mistake.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables, and the folder that relative paths in them start from. */
interface Variables {
  readonly environment: Environment;
  readonly cwd: string;
}

const REFERENCE = /^\$([A-Z_][A-Z0-9_]*)$/;

export interface Resolved {
  /** The value with references replaced, except for secrets, which could be printed by accident. */
  readonly value: unknown;
  /** The references that were replaced, by path. */
  readonly written: ReadonlyMap<string, string>;
  /** `$NAME` → its value, for secrets only. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly faults: readonly Fault[];
  /** Secrets that this environment lacks. */
  readonly missingSecrets: readonly Fault[];
}

interface Fault {
  readonly path: Path;
  readonly message: string;
}

/** Replaces every value `$NAME` with its value in the environment or in the file that it names. */
export function resolveReferences(
  raw: unknown,
  variables: Variables,
  spell: (path: Path) => string,
): Resolved {
  const written = new Map<string, string>();
  const secrets = new Map<string, string>();
  const faults: Fault[] = [];
  const missingSecrets: Fault[] = [];

  function scalar(text: string, path: Path): string {
    const name = REFERENCE.exec(text)?.[1];
    if (name === undefined) return text;
    const found = isNestedFile(name, path) ? NESTED : lookUp(name, variables);
    if ('fault' in found) {
      (isSecret(path) ? missingSecrets : faults).push({ path, message: found.fault });
      return text;
    }
    if (isSecret(path)) {
      secrets.set(text, found.value);
      return text;
    }
    written.set(spell(path), text);
    return found.value;
  }

  function walk(value: unknown, path: Path): unknown {
    if (typeof value === 'string') return scalar(value, path);
    if (Array.isArray(value)) return value.map((entry, at) => walk(entry, [...path, at]));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, below]) => [key, walk(below, [...path, key])]),
    );
  }

  return { value: walk(raw, []), written, secrets, faults, missingSecrets };
}

/** Keys whose values are secrets. The file contains only the name of a variable for them. */
const SECRET_KEYS: readonly string[] = ['credential', 'token', 'webhook_secret', 'key'];

/** Mappings of which every value is a secret. */
const SECRET_MAPPINGS: readonly string[] = ['secret_env'];

/** The content of the file, which is the key itself, would be taken for a path and shown. */
function isNestedFile(name: string, path: Path): boolean {
  return path.join('.') === 'hall.secrets_key' && name.endsWith('_FILE');
}

const NESTED = {
  fault:
    'must be the path of the key file: a variable whose name ends in _FILE would be read for its content',
};

function isSecret(path: Path): boolean {
  const above = String(path.at(-2));
  // Names in env are the operator's own.
  if (above === 'env') return false;
  return SECRET_MAPPINGS.includes(above) || SECRET_KEYS.includes(String(path.at(-1)));
}

/** The value of a variable; for `NAME_FILE`, the content of the file whose path it holds. */
export function lookUp(
  name: string,
  { environment, cwd }: Variables,
): { readonly value: string } | { readonly fault: string } {
  const value = environment[name];
  if (value === undefined || value === '') {
    return { fault: `the environment variable ${name} is not set` };
  }
  return name.endsWith('_FILE') ? contentOf(name, resolve(cwd, value)) : { value };
}

function contentOf(
  name: string,
  path: string,
): { readonly value: string } | { readonly fault: string } {
  try {
    const value = readFileSync(path, 'utf8').trimEnd();
    if (value !== '') return { value };
    return { fault: `the file that ${name} names is empty` };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    return { fault: `the file that ${name} names could not be read (${code})` };
  }
}
