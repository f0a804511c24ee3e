/** Items scanned before yielding to the event loop: about a millisecond's worth. */
const AT_ONCE = 5_000;

/** Filters a large collection without blocking the event loop. */
export async function filterInBatches<T>(
  all: Iterable<T>,
  isWanted: (each: T) => boolean,
): Promise<readonly T[]> {
  const wanted: T[] = [];
  let looked = 0;
  for (const each of all) {
    if (isWanted(each)) wanted.push(each);
    looked += 1;
    if (looked % AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return wanted;
}
