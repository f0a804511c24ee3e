import { MOST_CHARACTERS } from '../../domain/shell-reading.ts';

/** A command with more of the characters that mean something to a shell is made to keep a reader busy. */
const MOST_SIGNS = 2_000;
const MOST_OPEN = 100;
const MOST_DOCUMENTS = 20;
const RESERVED = /\b(case|if|for|while|until|select)\b/g;

/** Text that the shell hands on as it is: what stands in it costs nothing to read. */
const QUOTED_DOCUMENT = /<<-?[ \t]*(['"])(\w{1,40})\1[^\n]*\n[\s\S]*?\n\t*\2(?=\n|$)/g;
const SIGNS = /[`$'"(){}\\;|&<>!]/g;

/** Why a command is not read at all. Looks at each character a fixed number of times. */
export function excessIn(command: string): string | undefined {
  if (command.length > MOST_CHARACTERS) return `it has ${command.length} characters`;
  const documents = command.match(/<</g)?.length ?? 0;
  if (documents > MOST_DOCUMENTS) return `it has ${documents} here-documents`;
  const spoken = command.replace(QUOTED_DOCUMENT, '\n');
  const signs = spoken.match(SIGNS)?.length ?? 0;
  if (signs > MOST_SIGNS) return `it has ${signs} signs that a shell would act on`;
  const words = spoken.match(RESERVED)?.length ?? 0;
  if (words > MOST_OPEN) return `it has ${words} of the shell's own words`;
  return deepest(spoken) > MOST_OPEN ? 'it is nested too deep' : undefined;
}

function deepest(text: string): number {
  let depth = 0;
  let most = 0;
  for (const char of text) {
    if (char === '(' || char === '{') depth += 1;
    else if ((char === ')' || char === '}') && depth > 0) depth -= 1;
    if (depth > most) most = depth;
  }
  return most;
}
