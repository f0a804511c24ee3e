import type { ParameterExpansionPart, ParsedScript, Word, WordPart } from 'unbash';
import { type Arg, known } from '../../domain/shell-reading.ts';
import { bracesIn, combined } from './braces.ts';

/** What a word may need to know or tell while it is read. */
export interface Around {
  /** The words a variable is known to hold; undefined when it may hold anything. */
  valueOf(name: string): Arg | undefined;
  /** Commands inside the word. */
  script(script: ParsedScript | undefined, label: string): void;
  /** Every other thing that is expanded inside the word. */
  expansion(part: WordPart): void;
}

/** A piece of a word: what it says, how it is open, and whether the shell splits it into words. */
interface Piece extends Arg {
  readonly splits: boolean;
}

/** The words that one word of the command becomes. Quotes are gone; what is not known stays as written. */
export function argsOf(word: Word, around: Around): readonly Arg[] {
  if (!word.parts) return [tilde(word)];
  const choices = word.parts.map((part) => piecesOf(part, around, false));
  const ways = combined(choices);
  if (ways.length === 0) return [anything(word.text)];
  return ways.flatMap((pieces) => joined(pieces, word));
}

/** A word where the shell splits nothing and expands no names of files: the value of an assignment. */
export function valueIn(word: Word, around: Around): Arg {
  if (!word.parts) return tilde(word);
  const pieces = word.parts.flatMap((part) => {
    if (part.type === 'BraceExpansion' || part.type === 'Glob') return [fixed(part.text)];
    return piecesOf(part, around, true)[0] ?? [];
  });
  const whole = pieces.map(({ text }) => text).join('');
  if (pieces.every(({ open }) => open === null)) return known(whole);
  if (pieces.length === 1 && pieces[0]?.open === 'number') return number(word.text);
  return { ...anything(word.text), start: startOf(pieces) };
}

/** `~` alone and before a slash is home, which stays `~`; every other form is somebody else's. */
function tilde({ text, value }: Word): Arg {
  if (!text.startsWith('~') || /^~(\/|$)/.test(text)) return known(value);
  return anything(text);
}

function joined(pieces: readonly Piece[], { text }: Word): readonly Arg[] {
  const [only] = pieces;
  if (pieces.length === 1 && only?.splits && only.open === null) return split(only.text);
  if (pieces.some((piece) => piece.splits && !isOneWord(piece))) return [anything(text)];
  const whole = pieces.map((piece) => piece.text).join('');
  const open = pieces.map((piece) => piece.open).filter((each) => each !== null);
  if (open.length === 0) return /^~[^/]/.test(whole) ? [anything(text)] : [known(whole)];
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

/** What stands before the first piece that is not known. */
function startOf(pieces: readonly Piece[]): string {
  const first = pieces.findIndex(({ open }) => open !== null);
  return pieces
    .slice(0, first + 1)
    .map(({ start }) => start)
    .join('');
}

/** A value that is one word whatever the shell splits at, and that names no pattern of files. */
function isOneWord({ text, open }: Piece): boolean {
  if (open === 'number') return true;
  return open === null && /^[\w./:=@%+,~-]+$/.test(text);
}

function split(text: string): readonly Arg[] {
  if (/^[\w./:=@%+, \t\n-]*$/.test(text))
    return text
      .split(/[ \t\n]+/)
      .filter(Boolean)
      .map(known);
  return [anything(text)];
}

function piecesOf(part: WordPart, around: Around, inQuotes: boolean): readonly Piece[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return [fixed(part.value)];
    case 'AnsiCQuoted':
      around.expansion(part);
      return [/\\[cuU]|\0/.test(part.text + part.value) ? unknown(part.text) : fixed(part.value)];
    case 'DoubleQuoted':
      return [quotedPiece(part.parts, part.text, around)];
    case 'Glob':
      return [{ text: part.text, open: 'glob', start: '', splits: false }];
    case 'BraceExpansion':
      return bracePieces(part.text, part, around);
    case 'SimpleExpansion':
      return [variable(part.text, part.text.slice(1), around, inQuotes)];
    case 'ParameterExpansion':
      return [parameter(part, around, inQuotes)];
    case 'CommandExpansion':
      around.script(part.script, '$( )');
      return [isPwd(part.script) ? fixed('.') : { ...unknown(part.text), splits: !inQuotes }];
    case 'ArithmeticExpansion':
      around.expansion(part);
      return [{ ...number(part.text), splits: !inQuotes }];
    case 'ProcessSubstitution':
      around.script(part.script, `${part.operator}( )`);
      return [fixed('/dev/fd/63')];
    default:
      around.expansion(part);
      return [{ ...unknown(part.text), splits: true }];
  }
}

function quotedPiece(parts: readonly WordPart[], text: string, around: Around): Piece {
  const pieces = parts.flatMap((part) => piecesOf(part, around, true));
  const open = pieces.find((piece) => piece.open !== null);
  if (!open) return fixed(pieces.map((piece) => piece.text).join(''));
  if (pieces.length === 1) return { ...open, splits: false };
  // What stands before the first open piece is still certain, and `"$f".js` keeps what `$f` is.
  const inside = pieces.map((piece) => piece.text).join('');
  const kinds = pieces.map((piece) => piece.open).filter((kind) => kind !== null);
  const isNames = kinds.every((kind) => kind === 'glob' || kind === 'names');
  const start = startOf(pieces);
  if (isNames) return { text: inside, open: start === '' ? 'names' : 'glob', start, splits: false };
  return { ...unknown(text), start };
}

function bracePieces(text: string, part: WordPart, around: Around): readonly Piece[] {
  const words = bracesIn(text);
  if (words) {
    return words.map((word) =>
      /[*?]/.test(word) ? { text: word, open: 'glob', start: '', splits: false } : fixed(word),
    );
  }
  around.expansion(part);
  return [{ ...unknown(text), splits: true }];
}

function parameter(part: ParameterExpansionPart, around: Around, inQuotes: boolean): Piece {
  around.expansion(part);
  const { parameter: name, operation, index, prefix, text } = part;
  if (prefix === '#') return { ...number(text), splits: !inQuotes };
  if (operation || index || prefix) return { ...unknown(text), splits: !inQuotes };
  return variable(text, name, around, inQuotes);
}

function variable(text: string, name: string, around: Around, inQuotes: boolean): Piece {
  if (/^[?#$!]$/.test(name)) return { ...number(text), splits: !inQuotes };
  const value = around.valueOf(name);
  if (!value) return { ...unknown(text), splits: !inQuotes };
  return { ...value, splits: !inQuotes };
}

/** `$(pwd)` is the folder the command is in, whichever that is. */
function isPwd(script: ParsedScript | undefined): boolean {
  const [only, ...others] = script?.commands ?? [];
  const command = only?.command;
  if (others.length > 0 || command?.type !== 'Command') return false;
  return command.name?.text === 'pwd' && command.suffix.length + command.prefix.length === 0;
}

function fixed(text: string): Piece {
  return { ...known(text), splits: false };
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
