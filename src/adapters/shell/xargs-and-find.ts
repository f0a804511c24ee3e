import type { Arg } from '../../domain/parsed-command.ts';
import { type Table, table } from '../../domain/tool-policy/option-table.ts';
import { readOptions } from '../../domain/tool-policy/read-options.ts';
import { tableOf } from '../../domain/tool-policy/tables/programs.ts';
import type { InnerCommand } from './wrappers.ts';

/** A program earlier in the pipe, as far as it affects the input of a later one. */
export interface Upstream {
  readonly program: string;
  readonly argv: readonly Arg[];
}

const XARGS: Table = table('GNU findutils 4.9 manual', '', { syntax: 'posix' })`
  -0 --null -d= --delimiter= -E= -I= -i? --replace? -L= --max-lines? -l? -n= --max-args= -P=
  --max-procs= -p --interactive -r --no-run-if-empty -s= --max-chars= -t --verbose -x --exit`;

/** The command that `xargs` runs: its own words, then words from its input. */
export function innerOfXargs(
  argv: readonly Arg[],
  upstream: readonly Upstream[],
): readonly InnerCommand[] {
  const { given, operands: words, unclear } = readOptions(XARGS, argv);
  const unknown = given.find(({ option }) => option === null)?.word;
  const doubt = unknown ?? unclear.find((arg) => arg === words[0])?.text;
  if (doubt !== undefined) return [{ doubt }];
  if (words.length === 0) return [];
  const replace = given.findLast(({ word }) => /^(-I|-i|--replace)$/.test(word));
  const isSplit = !given.some(({ word }) => /^(-0|--null|-d|--delimiter)$/.test(word));
  const input = inputFrom(upstream, isSplit);
  if (!replace) return [{ argv: [...words, input] }];
  return [{ argv: substitute(words, replace.value?.text ?? '{}', input) }];
}

/** Words with the placeholder replaced. In shell text the replaced name would be read as shell. */
function substitute(words: readonly Arg[], placeholder: string, input: Arg): readonly Arg[] {
  return words.map((word): Arg => {
    if (word.text === placeholder) return input;
    if (!word.text.includes(placeholder)) return word;
    const start = word.text.slice(0, word.text.indexOf(placeholder)) || input.start;
    return { text: word.text, open: input.open, start };
  });
}

/** Each command that `find` runs on its results. */
export function innerOfFind(argv: readonly Arg[]): readonly InnerCommand[] {
  const inners: InnerCommand[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    if (!/^-(exec|execdir|ok|okdir)$/.test(argv[at]?.text ?? '')) continue;
    const end = argv.findIndex((_, n) => n > at && endsCommand(argv, n));
    if (end < 0) return [{ doubt: 'an unterminated find -exec' }];
    inners.push({ argv: substitute(argv.slice(at + 1, end), '{}', foundBy(argv)) });
    at = end;
  }
  return inners;
}

/** A `+` ends it only after the names; anywhere else it is a word of the command. */
function endsCommand(argv: readonly Arg[], at: number): boolean {
  const text = argv[at]?.text;
  return text === ';' || (text === '+' && argv[at - 1]?.text === '{}');
}

/**
 * A name from `find` begins with its search path, so a whole name never begins with a dash. Its text is
 * the pattern that every name matches, if there is one.
 */
function foundBy(argv: readonly Arg[]): Arg {
  const names = argv.flatMap(({ text }, at) => (/^-i?name$/.test(text) ? [argv[at + 1]] : []));
  const isAlone = names.length === 1 && !argv.some(({ text }) => /^(-o|-or|,|!|-not)$/.test(text));
  return { text: isAlone ? (names[0]?.text ?? '{}') : '{}', open: 'names', start: './' };
}

/** Any other listing begins with the name itself, and a file may be named like an option. */
const LISTED_FILE: Arg = { text: '…', open: 'names', start: '' };
const ANYTHING: Arg = { text: '…', open: 'unknown', start: '' };

/**
 * File names, if everything before it in the pipe lists files or selects lines. A name split at its
 * spaces may begin with anything.
 */
function inputFrom(upstream: readonly Upstream[], isSplit: boolean): Arg {
  const [first, ...others] = upstream;
  if (!first || !listsFiles(first) || !others.every(filtersLines)) return ANYTHING;
  if (first.program !== 'find') return LISTED_FILE;
  return isSplit ? { ...foundBy(first.argv), start: '' } : foundBy(first.argv);
}

function listsFiles({ program, argv }: Upstream): boolean {
  if (argv.some(({ open }) => open === 'unknown')) return false;
  const { given } = readOptions(tableOf(program) ?? XARGS, argv);
  const has = (option: RegExp) => given.some(({ word }) => option.test(word));
  switch (program) {
    case 'find':
      return !has(/^-(printf|fprintf|exec|execdir|ok|okdir)$/);
    case 'git':
      return gitListsFiles(argv);
    case 'rg':
      return has(/^(-l|--files|--files-with-matches)$/);
    case 'grep':
      return has(/^(-l|-L|--files-with-matches|--files-without-match)$/);
    case 'ls':
    case 'fd':
      return true;
    default:
      return false;
  }
}

/** Git shows a commit with its message, which may hold any words, unless told to omit it. */
function gitListsFiles(argv: readonly Arg[]): boolean {
  const [verb = '', ...options] = argv.map(({ text }) => text);
  const forms = options.filter((text) => /^--(pretty|format|oneline)|^-v$/.test(text));
  if (forms.some((text) => !/^--(pretty|format)=$/.test(text))) return false;
  if (verb === 'ls-files') return true;
  if (!options.includes('--name-only')) return false;
  return verb === 'diff' || verb === 'diff-tree' || (verb === 'show' && forms.length > 0);
}

function filtersLines({ program, argv }: Upstream): boolean {
  if (!['sort', 'uniq', 'head', 'tail', 'grep', 'egrep'].includes(program)) return false;
  // With these options it prints parts of lines.
  return !argv.some(({ text }) => /^-[A-Za-z]*[oc]|^--(only|bytes)/.test(text));
}
