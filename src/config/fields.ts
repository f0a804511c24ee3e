import type { Path } from './mistake.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** True for a mapping of YAML or JSON. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldsIn(value: unknown, key: string): Fields | undefined {
  const found = isFields(value) ? value[key] : undefined;
  return isFields(found) ? found : undefined;
}

export function listIn(value: unknown, key: string): readonly unknown[] {
  const found = isFields(value) ? value[key] : undefined;
  return Array.isArray(found) ? found : [];
}

export function textIn(value: unknown, key: string): string | undefined {
  const found = isFields(value) ? value[key] : undefined;
  return typeof found === 'string' ? found : undefined;
}

/** The value at a path, if everything above it is there. */
export function valueAt(value: unknown, path: Path): unknown {
  let here = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = Reflect.get(here, step);
  }
  return here;
}
