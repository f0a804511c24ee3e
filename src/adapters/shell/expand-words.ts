import type { ParameterExpansionPart, ParsedScript, Word, WordPart } from 'unbash';
import { type Arg, literalArg } from '../../domain/parsed-command.ts';
import { combinations, expandBraces } from './braces.ts';

/** What reading a word needs, and what it reports. */
export interface WordContext {
  /** The words a variable is known to hold; undefined when it may hold anything. */
  valueOf(name: string): Arg | undefined;
  /** Commands inside the word. */
  script(script: ParsedScript | undefined, label: string): void;
  /** Every other expansion inside the word. */
  expansion(part: WordPart): void;
}

/** A piece of a word: its text, how it is open, and whether the shell splits it into words. */
interface Piece extends Arg {
  readonly splits: boolean;
}

/** The words that one word of the command becomes. Quotes are removed; unknown parts stay as written. */
export function argsOf(word: Word, context: WordContext): readonly Arg[] {
  if (!word.parts) return [tilde(word)];
  const choices = word.parts.map((part) => piecesOf(part, context, false));
  const ways = combinations(choices);
  if (ways.length === 0) return [anything(word.text)];
  return ways.flatMap((pieces) => joined(pieces, word));
}

/** A word that the shell neither splits nor expands to file names: the value of an assignment. */
export function valueIn(word: Word, context: WordContext): Arg {
  if (!word.parts) return tilde(word);
  const pieces = word.parts.flatMap((part) => {
    if (part.type === 'BraceExpansion' || part.type === 'Glob') return [fixed(part.text)];
    return piecesOf(part, context, true)[0] ?? [];
  });
  const whole = pieces.map(({ text }) => text).join('');
  if (pieces.every(({ open }) => open === null)) return literalArg(whole);
  if (pieces.length === 1 && pieces[0]?.open === 'number') return number(word.text);
  return { ...anything(word.text), start: startOf(pieces) };
}

/** `~` alone and before a slash is home, which stays `~`; every other form is another user's. */
function tilde({ text, value }: Word): Arg {
  if (!text.startsWith('~') || /^~(\/|$)/.test(text)) return literalArg(value);
  return anything(text);
}

function joined(pieces: readonly Piece[], { text }: Word): readonly Arg[] {
  const [only] = pieces;
  if (pieces.length === 1 && only?.splits && only.open === null) return split(only.text);
  if (pieces.some((piece) => piece.splits && !isOneWord(piece))) return [anything(text)];
  const whole = pieces.map((piece) => piece.text).join('');
  const open = pieces.map((piece) => piece.open).filter((each) => each !== null);
  if (open.length === 0) return /^~[^/]/.test(whole) ? [anything(text)] : [literalArg(whole)];
  const start = startOf(pieces);
  if (open.every((each) => each === 'number') && pieces.length === 1) return [number(text)];
  if (open.every((each) => each === 'glob' || each === 'number')) {
    return [{ text: whole, open: 'glob', start }];
  }
  if (open.every((each) => each === 'glob' || each === 'names')) {
    return [{ text: whole, open: 'names', start }];
  }
  return [{ ...anything(text), start }];
}

/** The text before the first unknown piece. */
function startOf(pieces: readonly Piece[]): string {
  const first = pieces.findIndex(({ open }) => open !== null);
  return pieces
    .slice(0, first + 1)
    .map(({ start }) => start)
    .join('');
}

/** A value that is one word whatever the shell splits at, and that is not a file pattern. */
function isOneWord({ text, open }: Piece): boolean {
  if (open === 'number') return true;
  return open === null && /^[\w./:=@%+,~-]+$/.test(text);
}

function split(text: string): readonly Arg[] {
  if (/^[\w./:=@%+, \t\n-]*$/.test(text))
    return text
      .split(/[ \t\n]+/)
      .filter(Boolean)
      .map(literalArg);
  return [anything(text)];
}

function piecesOf(part: WordPart, context: WordContext, inQuotes: boolean): readonly Piece[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return [fixed(part.value)];
    case 'AnsiCQuoted':
      context.expansion(part);
      return [/\\[cuU]|\0/.test(part.text + part.value) ? unknown(part.text) : fixed(part.value)];
    case 'DoubleQuoted':
      return [quotedPiece(part.parts, part.text, context)];
    case 'Glob':
      return [{ text: part.text, open: 'glob', start: '', splits: false }];
    case 'BraceExpansion':
      return bracePieces(part.text, part, context);
    case 'SimpleExpansion':
      return [variable(part.text, part.text.slice(1), context, inQuotes)];
    case 'ParameterExpansion':
      return [parameter(part, context, inQuotes)];
    case 'CommandExpansion':
      context.script(part.script, '$( )');
      return [isPwd(part.script) ? fixed('.') : { ...unknown(part.text), splits: !inQuotes }];
    case 'ArithmeticExpansion':
      context.expansion(part);
      return [{ ...number(part.text), splits: !inQuotes }];
    case 'ProcessSubstitution':
      context.script(part.script, `${part.operator}( )`);
      return [fixed('/dev/fd/63')];
    default:
      context.expansion(part);
      return [{ ...unknown(part.text), splits: true }];
  }
}

function quotedPiece(parts: readonly WordPart[], text: string, context: WordContext): Piece {
  const pieces = parts.flatMap((part) => piecesOf(part, context, true));
  const open = pieces.find((piece) => piece.open !== null);
  if (!open) return fixed(pieces.map((piece) => piece.text).join(''));
  if (pieces.length === 1) return { ...open, splits: false };
  // The text before the first open piece is still certain, and `"$f".js` keeps the kind of `$f`.
  const inside = pieces.map((piece) => piece.text).join('');
  const kinds = pieces.map((piece) => piece.open).filter((kind) => kind !== null);
  const isNames = kinds.every((kind) => kind === 'glob' || kind === 'names');
  const start = startOf(pieces);
  if (isNames) return { text: inside, open: start === '' ? 'names' : 'glob', start, splits: false };
  return { ...unknown(text), start };
}

function bracePieces(text: string, part: WordPart, context: WordContext): readonly Piece[] {
  const words = expandBraces(text);
  if (words) {
    return words.map((word) =>
      /[*?]/.test(word) ? { text: word, open: 'glob', start: '', splits: false } : fixed(word),
    );
  }
  context.expansion(part);
  return [{ ...unknown(text), splits: true }];
}

function parameter(part: ParameterExpansionPart, context: WordContext, inQuotes: boolean): Piece {
  context.expansion(part);
  const { parameter: name, operation, index, prefix, text } = part;
  if (prefix === '#') return { ...number(text), splits: !inQuotes };
  if (operation || index || prefix) return { ...unknown(text), splits: !inQuotes };
  return variable(text, name, context, inQuotes);
}

function variable(text: string, name: string, context: WordContext, inQuotes: boolean): Piece {
  if (/^[?#$!]$/.test(name)) return { ...number(text), splits: !inQuotes };
  const value = context.valueOf(name);
  if (!value) return { ...unknown(text), splits: !inQuotes };
  return { ...value, splits: !inQuotes };
}

/** `$(pwd)` is the command's folder, whichever that is. */
function isPwd(script: ParsedScript | undefined): boolean {
  const [only, ...others] = script?.commands ?? [];
  const command = only?.command;
  if (others.length > 0 || command?.type !== 'Command') return false;
  return command.name?.text === 'pwd' && command.suffix.length + command.prefix.length === 0;
}

function fixed(text: string): Piece {
  return { ...literalArg(text), splits: false };
}

function unknown(text: string): Piece {
  return { ...anything(text), splits: false };
}

function anything(text: string): Arg {
  return { text, open: 'unknown', start: '' };
}

function number(text: string): Arg {
  return { text, open: 'number', start: '' };
}
