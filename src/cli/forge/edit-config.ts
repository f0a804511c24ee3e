import { isMap, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml';

/** The value of an entry under `forges`. */
export type ForgeEntry = Readonly<Record<string, unknown>>;

/**
 * The text of a configuration file with an entry under `forges`, added or replaced. Everything else stays as it was
 * written, with its comments and spaces.
 */
export function withForge(text: string, name: string, entry: ForgeEntry): string {
  const document = parseDocument(text);
  const root = document.contents;
  const line = flowText(entry);
  if (root === null) return `${ended(text)}forges:\n  ${name}: ${line}\n`;
  if (isMap(root) && !root.flow) {
    const forges = pairIn(root, 'forges');
    if (!forges) return `${ended(text)}\nforges:\n  ${name}: ${line}\n`;
    const map = forges.value;
    if (isMap(map) && !map.flow) return inBlock(text, map, { name, line });
  }
  document.setIn(['forges', name], document.createNode(entry, { flow: true }));
  return document.toString();
}

interface Line {
  readonly name: string;
  readonly line: string;
}

function inBlock(text: string, map: YAMLMap, { name, line }: Line): string {
  const range = rangeOf(pairIn(map, name)?.value);
  if (range) return `${text.slice(0, range[0])}${line}${text.slice(range[0] + range[1])}`;
  const first = map.items[0]?.key;
  const start = isScalar(first) ? (first.range?.[0] ?? 0) : 0;
  const indent = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  return `${text.slice(0, start)}${name}: ${line}\n${indent}${text.slice(start)}`;
}

/** Where a value begins, and how long it is, without the comment after it. */
function rangeOf(node: unknown): readonly [start: number, length: number] | undefined {
  const range = (node as { range?: readonly [number, number, number] | null } | null)?.range;
  return range ? [range[0], range[1] - range[0]] : undefined;
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
