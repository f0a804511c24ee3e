import { MAX_CHARACTERS } from '../../domain/parsed-command.ts';

/** A command with more shell metacharacters is made to keep a reader busy. */
const MAX_SIGNS = 2_000;
const MAX_NESTED = 100;
const MAX_DOCUMENTS = 20;
const RESERVED = /\b(case|if|for|while|until|select)\b/g;

/** Text that the shell passes on unchanged; it costs nothing to read. */
const QUOTED_DOCUMENT = /<<-?[ \t]*(['"])(\w{1,40})\1[^\n]*\n[\s\S]*?\n\t*\2(?=\n|$)/g;
const SIGNS = /[`$'"(){}\\;|&<>!]/g;

/** Why a command is not read at all. Visits each character a fixed number of times. */
export function complexityReason(command: string): string | undefined {
  if (command.length > MAX_CHARACTERS) return `it has ${command.length} characters`;
  const documents = command.match(/<</g)?.length ?? 0;
  if (documents > MAX_DOCUMENTS) return `it has ${documents} here-documents`;
  const script = command.replace(QUOTED_DOCUMENT, '\n');
  const metacharacters = script.match(SIGNS)?.length ?? 0;
  if (metacharacters > MAX_SIGNS) return `it has ${metacharacters} shell metacharacters`;
  const keywords = script.match(RESERVED)?.length ?? 0;
  if (keywords > MAX_NESTED) return `it has ${keywords} shell keywords`;
  return deepestNesting(script) > MAX_NESTED ? 'it is nested too deeply' : undefined;
}

function deepestNesting(text: string): number {
  let depth = 0;
  let most = 0;
  for (const char of text) {
    if (char === '(' || char === '{') depth += 1;
    else if ((char === ')' || char === '}') && depth > 0) depth -= 1;
    if (depth > most) most = depth;
  }
  return most;
}
