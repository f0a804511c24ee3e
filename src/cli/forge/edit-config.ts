import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml';

/** The value of an entry under `forges`. */
export type ForgeEntry = Readonly<Record<string, unknown>>;

/**
 * The text of a configuration file with an entry under `forges`, added or with these settings changed; an undefined
 * one is removed. Everything else stays as it was written, with its comments and spaces.
 */
export function withForge(text: string, name: string, settings: ForgeEntry): string {
  const document = parseDocument(text);
  const root = document.contents;
  const before: ForgeEntry = document.toJS()?.forges?.[name] ?? {};
  const entry = withoutUndefined({ ...before, ...settings });
  if (isDeepStrictEqual(before, entry)) return text;
  const added = `forges:\n  ${name}: ${flowText(entry)}\n`;
  if (root === null) return `${ended(text)}${added}`;
  if (isBlock(root) && !root.has('forges')) return `${ended(text)}\n${added}`;
  if (isBlock(document.getIn(['forges', name]))) {
    const changed = Object.keys(settings).filter(
      (key) => !isDeepStrictEqual(before[key], entry[key]),
    );
    const place = ['forges', name];
    return changed.reduce(
      (edited, key) => withKey(edited, { place, key, value: entry[key] }),
      text,
    );
  }
  if (isBlock(document.getIn(['forges']))) {
    return withKey(text, { place: ['forges'], key: name, value: entry });
  }
  document.setIn(['forges', name], document.createNode(entry, { flow: true }));
  return document.toString();
}

function isBlock(node: unknown): node is YAMLMap {
  return isMap(node) && !node.flow;
}

interface KeyChange {
  /** A mapping with a line for each key. */
  readonly place: readonly string[];
  readonly key: string;
  /** Undefined removes the key. */
  readonly value: unknown;
}

function withKey(text: string, { place, key, value }: KeyChange): string {
  const map = parseDocument(text).getIn(place);
  if (!isBlock(map)) return text;
  const pair = pairIn(map, key);
  const range = rangeOf(text, pair?.value);
  if (range && value === undefined) {
    const start = lineStart(text, startOf(pair));
    const end = text.indexOf('\n', range[1]);
    return `${text.slice(0, start)}${end < 0 ? '' : text.slice(end + 1)}`;
  }
  if (range) return `${text.slice(0, range[0])}${valueText(value)}${text.slice(range[1])}`;
  const first = startOf(map.items[0]);
  const indent = text.slice(lineStart(text, first), first);
  return `${text.slice(0, first)}${key}: ${valueText(value)}\n${indent}${text.slice(first)}`;
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

function startOf(pair: Pair | undefined): number {
  return isScalar(pair?.key) ? (pair.key.range?.[0] ?? 0) : 0;
}

/** Where a value begins and ends, without the comment or the line break after it. */
function rangeOf(text: string, node: unknown): readonly [start: number, end: number] | undefined {
  const range = (node as { range?: readonly [number, number, number] | null } | null)?.range;
  if (!range) return undefined;
  return [range[0], range[0] + text.slice(range[0], range[1]).trimEnd().length];
}

function withoutUndefined(entry: ForgeEntry): ForgeEntry {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
}

function pairIn(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key);
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** `{ kind: gitea, url: https://forge.example }` */
function flowText(entry: ForgeEntry): string {
  const parts = Object.entries(entry).map(([key, value]) => `${key}: ${valueText(value)}`);
  return `{ ${parts.join(', ')} }`;
}

function valueText(value: unknown): string {
  if (typeof value === 'object' && value !== null) return flowText(value as ForgeEntry);
  const text = String(value);
  return /^[A-Za-z0-9$][A-Za-z0-9$_./:@-]*$/.test(text) && !text.endsWith(':')
    ? text
    : JSON.stringify(value);
}

/** The lines that differ, as `-` and `+`. */
export function changedLines(before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < old.length && old[start] === now[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, now.length) - start;
  while (end < most && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  return [
    ...old.slice(start, old.length - end).map((line) => `- ${line}`),
    ...now.slice(start, now.length - end).map((line) => `+ ${line}`),
  ].join('\n');
}
