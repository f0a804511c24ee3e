import { SHORTEST_SECRET } from './secret.ts';

/** Replaces a redacted secret. */
export const REDACTED = '[redacted]';

/** Shorter lines of a secret would match ordinary words. */
const SHORTEST_LINE = 16;

/**
 * Known secrets, raw, JSON-escaped, as part of a URL and by line, because output is recorded line by line;
 * longest first, because one may be a prefix of another.
 */
export function secretSpellings(secrets: Iterable<string>): string[] {
  return [...secrets]
    .filter(({ length }) => length >= SHORTEST_SECRET)
    .flatMap((secret) => [
      ...new Set([
        secret,
        JSON.stringify(secret).slice(1, -1),
        encodeURIComponent(secret.toWellFormed()),
        ...linesOf(secret),
      ]),
    ])
    .toSorted((one, other) => other.length - one.length);
}

function linesOf(secret: string): readonly string[] {
  const lines = secret.includes('\n') ? secret.split(/\r?\n/) : [];
  return lines.filter(({ length }) => length >= SHORTEST_LINE);
}

/** Secrets recognizable by their form. The expressions avoid backtracking. */
const SECRETS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{0,20000}(-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
  // Our own tokens, before those of forges, which begin alike and end at the first hyphen.
  /\bgh[wr]?_[\w-]{40,60}/g,
  /\b(gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_\w{20,255})/g,
  /\bsk-(ant-)?[\w-]{16,255}/g,
  /\b(AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bxox[abeprs]-[\w-]{10,255}/g,
  /\bglpat-[\w-]{16,255}/g,
  /\bnpm_[A-Za-z0-9]{30,255}/g,
  /\bAIza[\w-]{30,60}/g,
  /\beyJ[\w-]{8,2000}\.eyJ[\w-]{8,4000}\.[\w-]{8,2000}/g,
];

/** A name that marks its value as a secret, with the value: `token=…`, `--password …`, `Bearer …`. */
const NAMED =
  /((?:^|[\s"'&?;,{-])(?:[\w-]{0,40}(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?))["']?(?:\s*[:=]\s*|\s+(?=[^\s-]))["']?)([^\s"'&;|)}]{4,2000})/gi;
const BEARER = /(\b(?:bearer|basic)\s+)([\w.~+/=-]{8,2000})/gi;
const IN_ADDRESS = /(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@]{0,200}:)([^\s/@]{1,500})(@)/gi;

/** Redacts a command for storage and display. The tool gate judges the original. */
function redactCommand(text: string): string {
  return known(text)
    .replace(BEARER, `$1${REDACTED}`)
    .replace(NAMED, (whole, name: string, value: string) =>
      /^\$|^\[redacted|^(true|false|null|none|\d+)$/i.test(value) ? whole : `${name}${REDACTED}`,
    );
}

/**
 * Redacts an agent's text. People write "the token count" and code says `token: string`, so a value
 * after such a name is redacted only if it looks generated rather than written.
 */
export function redactText(text: string): string {
  return known(text)
    .replace(BEARER, (whole, kind: string, value: string) =>
      isMade(value) ? `${kind}${REDACTED}` : whole,
    )
    .replace(ASSIGNED, (whole, name: string, value: string) =>
      isMade(value) ? `${name}${REDACTED}` : whole,
    );
}

/** `token=…`, `"password": "…"`, but never a name followed by a plain word. */
const ASSIGNED =
  /((?:^|[\s"'`&?;,{(-])[\w-]{0,40}(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)["'`]?\s{0,3}[:=]\s{0,3}["'`]?)([^\s"'`&;|)},]{8,2000})/gi;

function isMade(value: string): boolean {
  return /\d/.test(value) && /[a-z]/i.test(value);
}

/** Prefixes of everything `known` looks for. Nearly every text has none and is scanned once. */
const BEGINNING =
  /-----BEGIN|gh[pousrw]?_|github_pat_|sk-|AKIA|ASIA|xox|glpat-|npm_|AIza|eyJ|:\/\//i;

function known(text: string): string {
  if (!BEGINNING.test(text)) return text;
  let safe = text;
  for (const secret of SECRETS) safe = safe.replace(secret, REDACTED);
  return safe.replace(IN_ADDRESS, `$1${REDACTED}$3`);
}

export type Redactor = <T>(value: T) => T;

/**
 * Redacts agents' texts before they are stored or shown: the hall's own secrets by exact match,
 * others by their form.
 */
export function createRedactor(secrets: () => Iterable<string>): Redactor {
  const spellings = createSpellings(secrets);
  return <T>(value: T) => {
    const known = spellings();
    return everyText(value, (text) => redactText(withoutKnown(text, known))) as T;
  };
}

/** Sorts the spellings again only when the secrets have changed: that takes longer than redacting a report. */
function createSpellings(secrets: () => Iterable<string>): () => readonly string[] {
  let last: readonly string[] = [];
  let spellings: readonly string[] = [];
  return () => {
    const now = [...secrets()];
    if (now.length !== last.length || now.some((secret, at) => secret !== last[at])) {
      last = now;
      spellings = secretSpellings(now);
    }
    return spellings;
  };
}

/** The same for commands. */
export function createCommandRedactor(secrets: () => Iterable<string>): (text: string) => string {
  const spellings = createSpellings(secrets);
  return (text) => redactCommand(withoutKnown(text, spellings()));
}

function withoutKnown(text: string, spellings: readonly string[]): string {
  let redacted = text;
  for (const secret of spellings) redacted = redacted.replaceAll(secret, REDACTED);
  return redacted;
}

function everyText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => everyText(each, change));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, below]) => [key, everyText(below, change)]));
}
