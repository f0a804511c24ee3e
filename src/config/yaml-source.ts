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
  visit,
} from 'yaml';
import type { ConfigMistake, Path, Place, Step } from './mistake.ts';

/** A parsed file with the position of every value. */
export interface YamlSource {
  /** The path of the file as shown to people. */
  readonly file: string;
  readonly value: unknown;
  /** The position of a value, or of its nearest parent if the file does not have it. */
  valueAt(path: Path): Place;
  /** The position of a key, or of an entry of a list. */
  keyAt(path: Path): Place;
}

/** JSON is YAML too, so this reads both. */
export function parseYaml(file: string, text: string): YamlSource | readonly ConfigMistake[] {
  const lines = new LineCounter();
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(1, line), column: Math.max(1, col) };
  };
  const read = readDocument(text, lines);
  if ('faults' in read) {
    return read.faults.map(({ offset, message }) => ({
      place: placeAt(offset),
      path: '',
      message: `is not valid YAML: ${message}`,
    }));
  }
  const { document, value } = read;
  return {
    file,
    value: value ?? {},
    valueAt: (path) => placeAt(offsetOf(document, path, 'value')),
    keyAt: (path) => placeAt(offsetOf(document, path, 'key')),
  };
}

interface Fault {
  readonly offset: number;
  readonly message: string;
}

type Read =
  | { readonly document: Document; readonly value: unknown }
  | { readonly faults: readonly Fault[] };

function readDocument(text: string, lineCounter: LineCounter): Read {
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  // The others often follow from the first.
  const [first] = document.errors;
  if (!first) return walkable(document);
  return { faults: [{ offset: first.pos[0], message: PLAIN[first.code] ?? first.message }] };
}

/** More than four times as deep as the schema. A mapping counts twice: as itself and as its pair. */
const DEEPEST = 64;
const TOO_DEEP = 'it is nested too deeply for a configuration';

/** What the parser means, for people who do not know its terms. */
const PLAIN: Readonly<Record<string, string>> = {
  BAD_INDENT: 'this line is indented differently from those around it',
  BLOCK_AS_IMPLICIT_KEY:
    'a line can have only one "key: value"; put a value that contains ": " in quotes',
  BAD_SCALAR_START: 'a value cannot begin with this character; put it in quotes',
  DUPLICATE_KEY: 'this key occurs twice',
  MISSING_CHAR: 'a colon, bracket, quote or comma is missing here',
  MULTILINE_IMPLICIT_KEY:
    'this line is not "key: value"; is a colon missing, or a quote not closed?',
  MULTIPLE_DOCS: 'the file must not contain a line "---" in the middle',
  RESOURCE_EXHAUSTION: TOO_DEEP,
  TAB_AS_INDENT: 'this line is indented with a tab; use spaces',
  UNEXPECTED_TOKEN: 'this does not belong here; is a bracket, quote or comma missing before it?',
};

/** Refuses valid YAML that is too deep, too large or endless when expanded. */
function walkable(document: Document): Read {
  const fault = faultOfShape(document);
  if (fault) return { faults: [fault] };
  try {
    return { document, value: document.toJS() };
  } catch (error) {
    // Aliases that would expand to more than 100 copies: https://eemeli.org/yaml/#tojs-options
    if (!(error instanceof ReferenceError)) throw error;
    return { faults: [{ offset: lastAliasIn(document), message: TOO_MANY }] };
  }
}

const TOO_MANY = 'its aliases expand to too many copies';

function faultOfShape(document: Document): Fault | undefined {
  let fault: Fault | undefined;
  const found = (node: Node, message: string) => {
    fault = { offset: startOf(node), message };
    return visit.BREAK;
  };
  visit(document, {
    Alias(_key, alias, path) {
      const target = alias.resolve(document);
      const isWithin = path.some((above) => above === target);
      return isWithin
        ? found(alias, `the alias *${alias.source} is inside the value it refers to`)
        : undefined;
    },
    Collection: (_key, node, path) => (path.length > DEEPEST ? found(node, TOO_DEEP) : undefined),
  });
  return fault;
}

function lastAliasIn(document: Document): number {
  let last = 0;
  visit(document, {
    Alias(_key, alias) {
      last = startOf(alias);
    },
  });
  return last;
}

/** Walks as far as the file goes: a missing value is reported at the key it is missing under. */
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
