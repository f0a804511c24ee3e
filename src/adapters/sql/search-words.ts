/** A word to search for. */
export interface SearchTerm {
  readonly word: string;
  /** True when a longer word that starts like this one matches too. */
  readonly isPrefix: boolean;
}

/** Change it with any change of the words below: an index of another format is built again. */
export const WORDS_FORMAT = 1;

/** Longer words are cut, in the index and in searches alike. PostgreSQL refuses words of 2 KB. */
const LONGEST_WORD = 64;

/** Shorter words start too many others to be of use, and `12` must not find `123`. */
const SHORTEST_PREFIX = 3;

/**
 * The words of a text: runs of letters and digits without case and accents, and emoji one by one. Text in
 * scripts without spaces between words becomes its characters and their pairs, so that any part of it is
 * found. Databases split words in different ways, so they all get these.
 */
export function* wordsIn(text: string): Generator<string> {
  for (const run of runsIn(text)) {
    if (!UNSPACED.test(run)) {
      yield cut(run);
      continue;
    }
    const characters = [...run];
    yield* characters;
    yield* pairsOf(characters);
  }
}

/**
 * The words that must all be in a text. The last may be the start of a word, unless something was typed
 * after it.
 */
export function termsIn(text: string): readonly SearchTerm[] {
  const terms: SearchTerm[] = [];
  for (const run of runsIn(text)) {
    if (!UNSPACED.test(run)) {
      terms.push({ word: cut(run), isPrefix: false });
      continue;
    }
    const characters = [...run];
    const parts = characters.length === 1 ? characters : pairsOf(characters);
    for (const word of parts) terms.push({ word, isPrefix: false });
  }
  const last = terms.at(-1);
  return last && mayGoOn(text, last) ? terms.with(-1, { ...last, isPrefix: true }) : terms;
}

function mayGoOn(text: string, { word }: SearchTerm): boolean {
  if (word.length < SHORTEST_PREFIX || UNSPACED.test(word)) return false;
  return LETTER_AT_END.test(text);
}

function* runsIn(text: string): Generator<string> {
  if (IS_ASCII.test(text)) {
    yield* text.toUpperCase().match(ASCII_WORDS) ?? [];
    return;
  }
  for (const word of folded(text).match(WORDS) ?? []) yield* word.match(RUNS) ?? [];
}

const IS_ASCII = /^[\s\x21-\x7e]*$/;
const ASCII_WORDS = /[A-Z0-9]+/g;
const WORDS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*|\p{Extended_Pictographic}/gu;
const LETTER_AT_END = /[\p{L}\p{N}\p{M}]$/u;

/** Scripts that put no spaces between words, or attach particles to them as Korean does. */
const UNSPACED_SCRIPTS = ['Hani', 'Hira', 'Kana', 'Bopo', 'Hang', 'Thai', 'Laoo', 'Khmr', 'Mymr']
  .map((script) => `\\p{scx=${script}}`)
  .join('');
const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, 'u');
const RUNS = new RegExp(`[${UNSPACED_SCRIPTS}]+|[^${UNSPACED_SCRIPTS}]+`, 'gu');

/** Upper case joins what lower case keeps apart: ß and ss, σ and ς, dotless i and i. */
function folded(text: string): string {
  return text.normalize('NFKD').replace(OPTIONAL_MARKS, '').toUpperCase().normalize('NFC');
}

/** Accents of Latin, Greek and Cyrillic, and the vowel points of Hebrew and Arabic. */
const OPTIONAL_MARKS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/g;

function* pairsOf(characters: readonly string[]): Generator<string> {
  for (let at = 1; at < characters.length; at += 1) {
    yield `${characters[at - 1]}${characters[at]}`;
  }
}

function cut(word: string): string {
  return word.length <= LONGEST_WORD ? word : [...word].slice(0, LONGEST_WORD).join('');
}
