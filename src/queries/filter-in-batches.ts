/** So many are looked at between two looks at what else there is to do: about a millisecond's worth. */
const AT_ONCE = 5_000;

/** Those that are wanted of very many, found without keeping everybody else waiting. */
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
