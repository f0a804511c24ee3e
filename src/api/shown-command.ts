import { visible } from './escape-control-characters.ts';

/** Longer runs of spaces than a person would write are counted instead of shown. */
const WIDE = / {9,}/g;
const IS_WIDE = / {9}/;
const STRANGE_LETTER = /[^\p{ASCII}\p{Cc}\p{Cf}\p{Zs}\p{Emoji_Presentation}]/gu;
const MAX_NAMED = 10;

/** A command as a person should see it before approving it: nothing in it hides or moves. */
export function shownCommand(command: string): string {
  return visible(command).replace(WIDE, (spaces) => ` ⟨${spaces.length} spaces⟩ `);
}

/** Describes what is odd about how a command is written. */
export function odditiesOf(command: string): readonly string[] {
  const letters = [...new Set(command.match(STRANGE_LETTER) ?? [])];
  const named = letters.slice(0, MAX_NAMED).map((letter) => `${letter} ${codeOf(letter)}`);
  const more = letters.length > MAX_NAMED ? ', …' : '';
  return [
    ...(visible(command.replaceAll('\n', '')) === command.replaceAll('\n', '')
      ? []
      : ['contains invisible characters, shown as \\x.. and \\u....']),
    ...(IS_WIDE.test(command) ? ['contains long runs of spaces'] : []),
    ...(letters.length > 0 ? [`contains non-ASCII letters: ${named.join(', ')}${more}`] : []),
  ];
}

function codeOf(letter: string): string {
  return `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
