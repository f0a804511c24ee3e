/**
 * Text as every store can keep it. PostgreSQL refuses a NUL and no database keeps half a surrogate
 * pair, so both become U+FFFD, in every store alike. The event keeps what was said, escaped.
 */
export function storable(text: string): string {
  return text.includes('\0') || !text.isWellFormed()
    ? text.replaceAll('\0', '\ufffd').toWellFormed()
    : text;
}

/** Characters as databases count them: a pair of surrogates is one. */
export function characters(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= 0xd800 && unit < 0xdc00) pairs += 1;
  }
  return text.length - pairs;
}

/** Part of a text, in any case. */
export function holdsText(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}
