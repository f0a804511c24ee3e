/** A longer line is told in pieces of this many characters. */
const LONGEST = 32_768;
/** A program that never stops to talk is not listened to for ever. */
const MOST = 16 * 1024 * 1024;

/** Passes on what a program says, line by line. */
export async function passLines(
  stream: AsyncIterable<Uint8Array>,
  tell: (line: string) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  let total = 0;
  for await (const chunk of stream) {
    total += chunk.length;
    if (total > MOST) continue;
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) tellInPieces(line, tell);
    while (rest.length > LONGEST) {
      tell(rest.slice(0, LONGEST));
      rest = rest.slice(LONGEST);
    }
  }
  tellInPieces(rest, tell);
  if (total > MOST) tell(`(${total - MOST} more bytes were not listened to)`);
}

function tellInPieces(line: string, tell: (line: string) => void): void {
  for (let at = 0; at < line.length; at += LONGEST) tell(line.slice(at, at + LONGEST));
}
