import { visible } from '../api/escape-control-characters.ts';

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => string | number | null;
  readonly align?: 'right';
  /** How the cell stands out in a terminal. */
  readonly colour?: (row: Row) => Colour | undefined;
}

export type Colour = 'red' | 'yellow' | 'green' | 'cyan' | 'dim';

type Paint = (text: string, colour: Colour) => string;

const PLAIN: Paint = (text) => text;

const GAP = '  ';
const NARROWEST = 8;

/** Rows under their heads. If the width is known, the last column is cut to fit. */
export function table<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number | undefined,
  paint: Paint = PLAIN,
): string {
  const heads = columns.map(({ head }) => head);
  const cells = rows.map((row) => columns.map(({ cell }) => visible(String(cell(row) ?? '–'))));
  const lines = [heads, ...cells];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => widthOf(line[at] ?? ''))));
  shrinkLast(widths, width);
  return lines
    .map((line, of) => {
      const row = rows[of - 1];
      return line.map((text, at) => {
        const cell = placed(text, widths[at] ?? 0, columns[at]?.align);
        const colour = row === undefined ? undefined : columns[at]?.colour?.(row);
        return colour === undefined ? cell : paint(cell, colour);
      });
    })
    .map((line) => line.join(GAP).trimEnd())
    .join('\n');
}

function shrinkLast(widths: number[], width: number | undefined): void {
  const last = widths.at(-1);
  if (width === undefined || last === undefined) return;
  const others = widths.slice(0, -1).reduce((sum, each) => sum + each + GAP.length, 0);
  widths[widths.length - 1] = Math.min(last, Math.max(NARROWEST, width - others));
}

function placed(text: string, width: number, align: 'right' | undefined): string {
  const cut = shortened(text, width);
  const space = ' '.repeat(Math.max(0, width - widthOf(cut)));
  return align === 'right' ? space + cut : cut + space;
}

function shortened(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let cut = '';
  for (const { segment } of graphemesIn(text)) {
    if (widthOf(cut + segment) > width - 1) break;
    cut += segment;
  }
  return `${cut}…`;
}

let segmenter: Intl.Segmenter | undefined;

/** Created when it is needed: that takes 10 ms, and most tables are plain ASCII. */
function graphemesIn(text: string): Iterable<{ readonly segment: string }> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

const ASCII = /^[\x20-\x7e]*$/;

/** Characters that are two columns wide in a terminal. */
const WIDE =
  /\p{Extended_Pictographic}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemesIn(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}
