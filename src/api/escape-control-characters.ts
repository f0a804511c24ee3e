/** C0 and C1 controls and bidi marks: they move the cursor, hide text or change its direction. */
const UNSEEN = /[\p{Cc}\u061c\u200b-\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** Board text on one line, with everything that a terminal would interpret made visible. */
export function visible(text: string): string {
  return text.toWellFormed().replace(UNSEEN, spell);
}

/** The same for text of several lines, with line breaks kept. */
export function visibleLines(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => visible(line.replaceAll('\t', '    ')))
    .join('\n');
}

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function spell(unseen: string): string {
  const code = unseen.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return (
    SHORT[unseen] ?? (code < 256 ? `\\x${hex.padStart(2, '0')}` : `\\u${hex.padStart(4, '0')}`)
  );
}
