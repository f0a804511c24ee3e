/** Items scanned before yielding to the event loop: about a millisecond's worth. */
const AT_ONCE = 5_000;

/** Filters a large collection without blocking the event loop. */
export async function filterInBatches<T>(
  all: Iterable<T>,
  isMatch: (each: T) => boolean,
): Promise<readonly T[]> {
  const matches: T[] = [];
  let scanned = 0;
  for (const each of all) {
    if (isMatch(each)) matches.push(each);
    scanned += 1;
    if (scanned % AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return matches;
}
