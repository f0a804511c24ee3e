/** No ordinary command expands one word into more than this. */
const MAX_WORDS = 40;

const PLAIN = /^\{[\w./*?@:%+,=-]*\}$/;
const SEQUENCE = /^\{(-?\d{1,6})\.\.(-?\d{1,6})\}$/;

/**
 * The words of a brace expansion, or undefined when only bash can say. Expands only the plain forms:
 * names separated by commas, and ranges of whole numbers.
 */
export function expandBraces(text: string): readonly string[] | undefined {
  if (!PLAIN.test(text)) return undefined;
  const range = SEQUENCE.exec(text);
  if (range) return numbers(Number(range[1]), Number(range[2]), text);
  if (!text.includes(',') || text.includes('..')) return undefined;
  const words = text.slice(1, -1).split(',');
  return words.length > MAX_WORDS ? undefined : words;
}

function numbers(from: number, to: number, text: string): readonly string[] | undefined {
  if (Math.abs(to - from) >= MAX_WORDS || /\{-?0\d|\.\.-?0\d/.test(text)) return undefined;
  const step = from <= to ? 1 : -1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, n) => String(from + n * step));
}

/** Every combination of one choice each, in the order in which bash produces the words. */
export function combinations<T>(choices: readonly (readonly T[])[]): readonly (readonly T[])[] {
  let combined: readonly (readonly T[])[] = [[]];
  for (const choice of choices) {
    combined = combined.flatMap((before) => choice.map((each) => [...before, each]));
    if (combined.length > MAX_WORDS) return [];
  }
  return combined;
}
