import type { KnownSecrets } from '../board/known-secrets.ts';

/** Redacts the value in a body from the moment it was read, even if the body is no JSON or was cut off. */
export function receiveSecrets(body: Buffer, known: KnownSecrets): void {
  for (const value of valuesIn(body.toString('utf8'))) known.receive(value);
}

const WRITTEN = /"value"\s*:\s*"((?:[^"\\]|\\.)*)/;

function valuesIn(text: string): readonly string[] {
  const { value } = (parsed(text) ?? {}) as { readonly value?: unknown };
  if (typeof value === 'string') return [value];
  const written = WRITTEN.exec(text)?.[1];
  if (written === undefined) return [];
  const unescaped = parsed(`"${written}"`);
  return typeof unescaped === 'string' ? [unescaped] : [written];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
