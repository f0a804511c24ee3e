/** The known word that was probably meant, or undefined when none is close. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const asked = plain(word.slice(0, LONGEST));
  let best: { readonly word: string; readonly steps: number } | undefined;
  for (const candidate of known) {
    const steps = stepsBetween(asked, plain(candidate));
    const within = Math.max(2, Math.ceil(Math.max(asked.length, candidate.length) / 3));
    if (steps <= within && (!best || steps < best.steps)) best = { word: candidate, steps };
  }
  return best?.word;
}

/** The question whether another word was meant, after a mark such as `; `; nothing when none is close. */
export function didYouMean(word: string, known: readonly string[], mark = '; '): string {
  const meant = nearest(word, known);
  return meant === undefined ? '' : `${mark}did you mean ${meant}?`;
}

/** A caller chooses the word, and comparing costs its length times that of every known one. */
const LONGEST = 64;

/** `maxWorkers`, `max-workers` and `max_workers` are one word to the person who typed it. */
function plain(word: string): string {
  return word.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}

/** Letters to add, drop or change to get from one word to the other. */
function stepsBetween(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const change = (above[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      row.push(Math.min(change, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    above = row;
  }
  return above[to.length] ?? 0;
}
