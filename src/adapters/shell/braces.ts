/** More words than these from one are nobody's ordinary command. */
const MAX_WORDS = 40;

const PLAIN = /^\{[\w./*?@:%+,=-]*\}$/;
const SEQUENCE = /^\{(-?\d{1,6})\.\.(-?\d{1,6})\}$/;

/**
 * What a brace expansion becomes, or undefined when that is for bash to say. Only the plain forms are
 * worked out here: names between commas, and whole numbers counted one by one.
 */
export function expandBraces(text: string): readonly string[] | undefined {
  if (!PLAIN.test(text)) return undefined;
  const counted = SEQUENCE.exec(text);
  if (counted) return numbers(Number(counted[1]), Number(counted[2]), text);
  if (!text.includes(',') || text.includes('..')) return undefined;
  const words = text.slice(1, -1).split(',');
  return words.length > MAX_WORDS ? undefined : words;
}

function numbers(from: number, to: number, text: string): readonly string[] | undefined {
  if (Math.abs(to - from) >= MAX_WORDS || /\{-?0\d|\.\.-?0\d/.test(text)) return undefined;
  const step = from <= to ? 1 : -1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, n) => String(from + n * step));
}

/** Every way to take one of each, in the order in which bash makes the words. */
export function combinations<T>(choices: readonly (readonly T[])[]): readonly (readonly T[])[] {
  let made: readonly (readonly T[])[] = [[]];
  for (const choice of choices) {
    made = made.flatMap((before) => choice.map((each) => [...before, each]));
    if (made.length > MAX_WORDS) return [];
  }
  return made;
}
