/**
 * Text as every store can hold it. PostgreSQL refuses a NUL and no database keeps half a surrogate
 * pair, so both become U+FFFD, in every store alike. The event keeps the original, escaped.
 */
export function storable(text: string): string {
  return text.includes('\0') || !text.isWellFormed()
    ? text.replaceAll('\0', '\ufffd').toWellFormed()
    : text;
}

/** Counts characters as databases do: a surrogate pair is one. */
export function characters(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= 0xd800 && unit < 0xdc00) pairs += 1;
  }
  return text.length - pairs;
}
