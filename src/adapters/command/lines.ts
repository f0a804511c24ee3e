/** Longer lines are passed on in pieces of this many characters. */
const MAX_CHARACTERS = 32_768;
/** Stops reading a program that never stops talking. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Passes on a program's output line by line. */
export async function forEachLine(
  stream: AsyncIterable<Uint8Array>,
  onLine: (line: string) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  let total = 0;
  for await (const chunk of stream) {
    total += chunk.length;
    if (total > MAX_BYTES) continue;
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) emitPieces(line, onLine);
    while (rest.length > MAX_CHARACTERS) {
      onLine(rest.slice(0, MAX_CHARACTERS));
      rest = rest.slice(MAX_CHARACTERS);
    }
  }
  emitPieces(rest, onLine);
  if (total > MAX_BYTES) onLine(`(${total - MAX_BYTES} more bytes were not recorded)`);
}

function emitPieces(line: string, onLine: (line: string) => void): void {
  for (let at = 0; at < line.length; at += MAX_CHARACTERS)
    onLine(line.slice(at, at + MAX_CHARACTERS));
}
