/** The known word that was probably meant, or undefined when none is close. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const typed = plain(word.slice(0, LONGEST));
  let best: { readonly word: string; readonly steps: number } | undefined;
  for (const candidate of known) {
    const steps = stepsBetween(typed, plain(candidate));
    const within = Math.max(2, Math.ceil(Math.max(typed.length, candidate.length) / 3));
    if (steps <= within && (!best || steps < best.steps)) best = { word: candidate, steps };
  }
  return best?.word;
}

/** A "did you mean" question after a mark such as `; `; empty when no word is close. */
export function didYouMean(word: string, known: readonly string[], mark = '; '): string {
  const suggestion = nearest(word, known);
  return suggestion === undefined ? '' : `${mark}did you mean ${suggestion}?`;
}

/** The caller chooses the word, and each comparison costs its length times the known word's. */
const LONGEST = 64;

/** `maxWorkers`, `max-workers` and `max_workers` are the same word to the person typing it. */
function plain(word: string): string {
  return word.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}

/** The number of letters to add, drop or change to turn one word into the other. */
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
