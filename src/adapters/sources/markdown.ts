/** A heading of a Markdown document. Lines are counted from 1. */
export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly line: number;
  /** The first line after the heading: one more below an underlined one. */
  readonly bodyLine: number;
}

/** A Markdown document, split so that no line of a code block is taken for anything else. */
export interface Document {
  readonly lines: readonly string[];
  /** Whether a line, counted from 0, is inside a code block or a comment. */
  readonly isCode: readonly boolean[];
  readonly headings: readonly Heading[];
  /** The line of a code block that is never closed; null where all are. */
  readonly unclosed: number | null;
}

/** Line feeds of all systems, without the mark that some editors put at the beginning. */
export function linesOf(text: string): readonly string[] {
  return text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
}

/** Every line is looked at once, and no pattern can match in more than one way. */
export function parseMarkdown(lines: readonly string[], from = 0): Document {
  const isCode: boolean[] = new Array(lines.length).fill(false);
  const headings: Heading[] = [];
  let fence: { readonly mark: string; readonly line: number } | null = null;
  let isComment = false;
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const mark = fenceIn(line);
    if (fence) {
      isCode[at] = true;
      if (mark && closes(mark, line, fence.mark)) fence = null;
      continue;
    }
    if (isComment) {
      isCode[at] = true;
      isComment = !line.includes('-->');
      continue;
    }
    if (mark) {
      isCode[at] = true;
      fence = { mark, line: at + 1 };
      continue;
    }
    if (line.trimStart().startsWith('<!--')) {
      isCode[at] = true;
      isComment = !line.includes('-->');
      continue;
    }
    const heading = headingAt(lines, at, from);
    if (heading) headings.push(heading);
  }
  return { lines, isCode, headings, unclosed: fence?.line ?? null };
}

/** The characters that open or close a code block: three or more, after at most three spaces. */
function fenceIn(line: string): string | null {
  const text = line.trimStart();
  if (line.length - text.length > 3) return null;
  const [first] = text;
  if (first !== '`' && first !== '~') return null;
  let length = 0;
  while (text[length] === first) length += 1;
  if (length < 3 || (first === '`' && text.includes('`', length))) return null;
  return text.slice(0, length);
}

function closes(mark: string, line: string, open: string): boolean {
  return mark[0] === open[0] && mark.length >= open.length && line.trim() === mark;
}

function headingAt(lines: readonly string[], at: number, from: number): Heading | null {
  const line = lines[at] ?? '';
  const text = line.trimStart();
  if (line.length - text.length > 3) return null;
  const level = hashesAt(text);
  if (level > 0)
    return { level, text: withoutClosing(text.slice(level)), line: at + 1, bodyLine: at + 2 };
  return underlined(lines, at, from);
}

function hashesAt(text: string): number {
  let level = 0;
  while (text[level] === '#') level += 1;
  const next = text[level];
  return level <= 6 && (next === undefined || next === ' ' || next === '\t') ? level : 0;
}

/** A heading may end with hashes, too. */
function withoutClosing(text: string): string {
  const trimmed = text.trim();
  let end = trimmed.length;
  while (end > 0 && trimmed[end - 1] === '#') end -= 1;
  const isClosing = end < trimmed.length && (end === 0 || trimmed[end - 1] === ' ');
  return (isClosing ? trimmed.slice(0, end) : trimmed).trim();
}

/** A line of = or - below a line of text makes it a heading. */
function underlined(lines: readonly string[], at: number, from: number): Heading | null {
  const text = (lines[at] ?? '').trim();
  const below = (lines[at + 1] ?? '').trim();
  const level = underline(below);
  const above = at === from ? '' : (lines[at - 1] ?? '').trim();
  if (level === 0 || text === '' || above !== '' || /^(?:[-*+>|]|\d+[.)] )/.test(text)) return null;
  return { level, text, line: at + 1, bodyLine: at + 3 };
}

function underline(text: string): number {
  if (isOnly(text, '=')) return 1;
  return isOnly(text, '-') ? 2 : 0;
}

function isOnly(text: string, character: string): boolean {
  return text.length >= 2 && [...text].every((each) => each === character);
}

/** The first line that is too long to be taken apart; null where there is none. */
export function longLine({ lines, isCode }: Document, most: number): number | null {
  const at = lines.findIndex((line, n) => line.length > most && !isCode[n]);
  return at === -1 ? null : at + 1;
}

/** The lines from a heading to the next one that is not below it. */
export function endOf({ headings, lines }: Document, heading: Heading): number {
  const next = headings.find(({ line, level }) => line > heading.line && level <= heading.level);
  return next ? next.line - 1 : lines.length;
}

/** Text as people read it: without emphasis, code marks and the address of a link. */
export function plainText(text: string): string {
  const plain = text
    .replace(/\[([^\][]{0,500})\]\([^()]{0,1000}\)/g, '$1')
    .replace(/[*`]/g, '')
    .replace(/\p{Cc}/gu, ' ')
    .trim();
  let [from, to] = [0, plain.length];
  while (plain[from] === '_') from += 1;
  while (to > from && plain[to - 1] === '_') to -= 1;
  return plain.slice(from, to).trim();
}
