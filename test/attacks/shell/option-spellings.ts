import {
  type Option,
  optionsOf,
  type Table,
} from '../../../src/domain/tool-policy/option-table.ts';
import { tableOf } from '../../../src/domain/tool-policy/tables/programs.ts';
import { dice } from './grammar.ts';

/** A call in one of the ways that its program would accept it. */
export interface Spelling {
  readonly command: string;
  /** It asks for an effect that no verdict allows, in words that the table lists. */
  readonly isDangerous: boolean;
}

type Roll = () => number;
const pick = <T>(roll: Roll, from: readonly T[]): T => from[Math.floor(roll() * from.length)] as T;

/** Programs of most machines, with the verb that is called. Slow ones are called less often. */
const SUBJECTS =
  `cat head tail wc ls du diff cmp comm cut nl tac fold paste join od sort sort sort uniq shuf grep grep jq sed sed sed sed awk awk awk find find cp cp mv ln install touch mkdir
  truncate split split csplit tee tee chmod rm patch gzip tar tar tar tar zip unzip make make perl date base64 xxd iconv git:log git:diff git:grep git:grep git:format-patch git:init git:archive git:config git:apply
  git:checkout-index git:branch python3 node`.split(/\s+/);

/** Files that no accepted command may change, and a program that none may run. */
const PROTECTED = ['.git/hooks/hit', '.git/config', '../outside/hit'];
const RUNS = ['./mark', "'sh -c ./mark'", "'sh ./mark'"];

/** The call of a seed: options of the table, spelt in every way, in any place. */
export function spellingFrom(seed: number): Spelling {
  const roll = dice(seed);
  const [program = '', verb] = pick(roll, SUBJECTS).split(':');
  const table = tableFor(program, verb);
  const options = [...optionsOf(table).values()].filter(({ arity }) => arity !== 'command');
  const risky = options.filter(({ effect }) => isRisky(effect));
  const chosen = Array.from({ length: 1 + Math.floor(roll() * 3) }, () =>
    pick(roll, risky.length > 0 && roll() < 0.35 ? risky : options),
  ).filter((option) => option !== undefined);
  const spelt = spellOptions(chosen, { roll, table });
  const operands = operandsOf(table, roll);
  const words = placed(spelt.words, operands.words, roll);
  return {
    command: [program, ...(verb ? [verb] : []), ...words].join(' '),
    isDangerous:
      !isOldStyle(table, words) &&
      ((spelt.isDangerous && areOptions(table, words, spelt.words)) || operands.isDangerous),
  };
}

/** The letters of a first word without a dash are options of tar, and the words after it are their values. */
function isOldStyle({ syntax }: Table, [first = '']: readonly string[]): boolean {
  return syntax === 'tar' && /^[A-Za-z]+$/.test(first);
}

/** Behind `--` they are operands, and behind an operand too where the program does not permute. */
function areOptions(table: Table, words: readonly string[], options: readonly string[]): boolean {
  const isFirst = words.indexOf(options[0] ?? '') === 0;
  const permutes = !/^(posix|leading|go|yargs)$/.test(table.syntax ?? '');
  return table.ends === undefined && (isFirst || (permutes && words[0] !== '--'));
}

function isRisky(effect: Option['effect']): boolean {
  return /^(write|run|script|edit|code)$/.test(effect);
}

function tableFor(program: string, verb: string | undefined): Table {
  const table = tableOf(program);
  const found = verb === undefined ? table : table?.verbs?.[verb];
  if (!found) throw new Error(`there is no table of ${program} ${verb ?? ''}`);
  return found;
}

interface Spelt {
  readonly words: readonly string[];
  readonly isDangerous: boolean;
}

interface Context {
  readonly roll: Roll;
  readonly table: Table;
}

/** Short options are bundled with the one after them half of the time. */
function spellOptions(options: readonly Option[], context: Context): Spelt {
  const { roll, table } = context;
  const words: string[] = [];
  let bundle = '';
  let isDangerous = false;
  let hasNoise = false;
  const isWords = /^(words|leading|go|yargs)$/.test(table.syntax ?? '');
  for (const option of options) {
    const value =
      option.arity === 'none' || option.arity === 'digits' ? undefined : valueFor(option, context);
    isDangerous ||= value?.isDangerous ?? option.effect === 'run';
    if (isWords || option.name.startsWith('--') || option.name.length > 2) {
      words.push(...flush(bundle), ...spellLong(option, value?.text, { roll, isWords, table }));
      bundle = '';
      continue;
    }
    const letter = option.name.slice(1) === '%' ? '1' : option.name.slice(1);
    // A letter that the table may not list, which may take the rest as its value.
    const isNoisy = roll() < 0.08;
    hasNoise ||= isNoisy;
    bundle += isNoisy ? `${pick(roll, [...'abcdefgijklmnopqrstuvwxyz'])}${letter}` : letter;
    if (value === undefined) {
      if (roll() < 0.5) {
        words.push(...flush(bundle));
        bundle = '';
      }
      continue;
    }
    const isAttached = option.arity === 'attached' || roll() < 0.6;
    words.push(...(isAttached ? [`-${bundle}${value.text}`] : [`-${bundle}`, value.text]));
    bundle = '';
  }
  return { words: [...words, ...flush(bundle)], isDangerous: isDangerous && !hasNoise };
}

function flush(bundle: string): readonly string[] {
  return bundle === '' ? [] : [`-${bundle}`];
}

function spellLong(
  { name, arity }: Option,
  value: string | undefined,
  { roll, isWords, table }: Context & { readonly isWords: boolean },
): readonly string[] {
  const short = name.slice(0, 3 + Math.floor(roll() * (name.length - 2)));
  const mayShorten = !isWords && name.startsWith('--') && !optionsOf(table).has(short);
  const written = mayShorten && roll() < 0.5 ? short : name;
  if (value === undefined) return [written];
  if (arity === 'rest') return [`${written}${value}`];
  if (arity === 'two') return [written, 'x', value];
  if (arity === 'attached' || (name.startsWith('--') && roll() < 0.6))
    return [`${written}=${value}`];
  return [written, value];
}

const SCRIPTS = {
  sed: [
    'p',
    's/a/b/',
    "'1e ./mark'",
    "'w .git/hooks/hit'",
    "'s/a/b/w .git/hooks/hit'",
    "'s/l/x/e'",
    "'1{p;e ./mark\n}'",
    "'# x\\\nw .git/hooks/hit'",
    "'s/[/]/x/;p'",
    "'a x\\\\\nw .git/hooks/hit'",
    "'$!d'",
    "'1,2!{s,a,b,g}'",
    "'y/ab/cd/'",
    "'1~2d;/a/I,+1p'",
    "'s/[/]w .git\\/hooks\\/hit/]/x/'",
    "'/[/]/w .git/hooks/hit'",
  ],
  awk: [
    "'{print $1}'",
    '\'{print > ".git/hooks/hit"}\'',
    '\'BEGIN{system("./mark")}\'',
    '\'{print | "./mark"}\'',
    '\'/"/{}1;END{system("./mark")}#"\'',
    "'$1>2'",
    '\'BEGIN{"./mark"|getline}\'',
    '\'{print "a;" > ".git/hooks/hit"}\'',
    "'NR==1{print;exit}'",
    '\'{x="|"; print x}\'',
    '\'{print "x" >> ".git/hooks/hit"}\'',
    "'/x/||/a/'",
  ],
  python: [
    "'print(1)'",
    '\'import os; os.system("./mark")\'',
    "'import os'",
    '\'open(".git/hooks/hit","w")\'',
  ],
  node: ["'process.version'", '\'require("child_process").execSync("./mark")\''],
} as const;
const PERL = ['\'system "./mark"\'', "'print 1'"];
const HARMFUL = /mark|hooks|\/e'$/;

function scriptFor({ roll, table }: Context): {
  readonly text: string;
  readonly isDangerous: boolean;
} {
  const text = pick<string>(roll, table.language ? SCRIPTS[table.language] : PERL);
  return { text, isDangerous: HARMFUL.test(text) && !text.startsWith("'s/[/]w") };
}

function valueFor(
  { effect }: Option,
  context: Context,
): { readonly text: string; readonly isDangerous: boolean } {
  const { roll } = context;
  switch (effect) {
    case 'write':
      return roll() < 0.3
        ? { text: 'out', isDangerous: false }
        : { text: pick(roll, PROTECTED), isDangerous: true };
    case 'run':
      return { text: pick(roll, RUNS), isDangerous: true };
    case 'script':
      return scriptFor(context);
    case 'code':
    case 'folder':
      return { text: pick(roll, ['sub', 'own.txt', '../outside']), isDangerous: false };
    case 'read':
      return { text: pick(roll, ['a.txt', 'b.txt']), isDangerous: false };
    default:
      return { text: pick(roll, ['1', '2', 'x', 'a.txt', 'HEAD']), isDangerous: false };
  }
}

function operandsOf(table: Table, roll: Roll): Spelt {
  const kinds = table.operands ?? [];
  const count = 1 + Math.floor(roll() * 3);
  let isDangerous = false;
  const words = Array.from({ length: count }, (_, at): string => {
    const kind = kinds[Math.min(at, kinds.length - 1)];
    if (kind === 'script') return scriptFor({ roll, table }).text;
    if (kind === 'word') return pick(roll, ['a', '1', 'x']);
    if (kind === 'code') return 'own.txt';
    const isLast = at === count - 1;
    const isWritten = kind === 'write' || (kind === 'copy' && isLast);
    if (isWritten && roll() < 0.2) {
      isDangerous ||= table.replacedBy === undefined;
      return pick(roll, PROTECTED);
    }
    return pick(roll, ['a.txt', 'b.txt', 'sub', 'a.tar', 'a.zip', 'fix.patch']);
  });
  return { words, isDangerous };
}

/** Options before, after or between the operands, or behind a `--`, where they are operands. */
function placed(
  options: readonly string[],
  operands: readonly string[],
  roll: Roll,
): readonly string[] {
  const way = roll();
  if (way < 0.45) return [...options, ...operands];
  if (way < 0.6) return [...options, '--', ...operands];
  if (way < 0.7) return ['--', ...options, ...operands];
  const at = Math.floor(roll() * (operands.length + 1));
  return [...operands.slice(0, at), ...options, ...operands.slice(at)];
}
