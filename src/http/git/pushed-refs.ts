/**
 * The refs that a push wants to change, read from the first lines of its request. Undefined when the bytes are
 * no push, null when more bytes are needed.
 */
export function pushedRefs(bytes: Buffer): readonly string[] | null | undefined {
  const refs: string[] = [];
  let at = 0;
  for (;;) {
    if (bytes.length < at + 4) return null;
    const length = Number.parseInt(bytes.toString('latin1', at, at + 4), 16);
    if (Number.isNaN(length) || (length > 0 && length < 5)) return undefined;
    if (length === 0) return refs;
    if (bytes.length < at + length) return null;
    const ref = refIn(bytes.toString('utf8', at + 4, at + length));
    if (ref === undefined) return undefined;
    if (ref !== null) refs.push(ref);
    at += length;
  }
}

/** A line is `<old> <new> <ref>`; the first also lists capabilities behind a NUL. */
function refIn(line: string): string | null | undefined {
  if (line.startsWith('shallow ')) return null;
  const [command = ''] = line.split('\0', 1);
  return /^[0-9a-f]{40,64} [0-9a-f]{40,64} (refs\/\S+)\s*$/.exec(command)?.[1];
}
