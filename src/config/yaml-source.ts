import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
} from 'yaml';
import type { ConfigMistake, Path, Place, Step } from './mistake.ts';

/** A parsed file that remembers where everything stands. */
export interface YamlSource {
  /** The file as people call it. */
  readonly file: string;
  readonly value: unknown;
  /** Where a value begins, or, when nothing is written there, where the thing it belongs to does. */
  valueAt(path: Path): Place;
  /** Where the key of a value stands, or the entry of a list. */
  keyAt(path: Path): Place;
}

/** JSON is YAML too, so this reads both. */
export function parseYaml(file: string, text: string): YamlSource | readonly ConfigMistake[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(1, line), column: Math.max(1, col) };
  };
  if (document.errors.length > 0) {
    return document.errors.map(({ pos, message }) => ({
      place: placeAt(pos[0]),
      path: '',
      message: `is not valid YAML: ${message}`,
    }));
  }
  return {
    file,
    value: document.toJS() ?? {},
    valueAt: (path) => placeAt(offsetOf(document, path, 'value')),
    keyAt: (path) => placeAt(offsetOf(document, path, 'key')),
  };
}

/** Walks as far as the file goes: what is missing is shown at the key it is missing under. */
function offsetOf(document: Document, path: Path, what: 'key' | 'value'): number {
  let node: Node | null = document.contents;
  let offset = startOf(node);
  for (const [depth, step] of path.entries()) {
    const found: Found | undefined = stepInto(document, node, step);
    if (!found) return offset;
    const isLast = depth === path.length - 1;
    offset = isLast && what === 'value' && found.value ? startOf(found.value) : found.offset;
    node = found.value;
  }
  return offset;
}

interface Found {
  /** Of the key, or of the entry of a list. */
  readonly offset: number;
  readonly value: Node | null;
}

function stepInto(document: Document, node: Node | null, step: Step): Found | undefined {
  const here = isAlias(node) ? node.resolve(document) : node;
  if (isMap(here)) {
    const pair = here.items.find(({ key }: Pair) => isScalar(key) && String(key.value) === step);
    if (!pair || !isNode(pair.key)) return undefined;
    return { offset: startOf(pair.key), value: isNode(pair.value) ? pair.value : null };
  }
  if (isSeq(here) && typeof step === 'number') {
    const entry = here.items[step];
    return isNode(entry) ? { offset: startOf(entry), value: entry } : undefined;
  }
  return undefined;
}

function startOf(node: Node | null): number {
  return node?.range?.[0] ?? 0;
}
