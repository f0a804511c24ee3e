import type { Arg } from '../../domain/parsed-command.ts';
import type { ParseContext } from './parse-context.ts';

/** Names with a meaning to the reader or to every shell; a function must not redefine them. */
const RESERVED: ReadonlySet<string> = new Set(
  `alias bg bind break builtin caller cd command compgen complete continue declare dirs disown echo
  enable env eval exec exit export false fc find fg getopts git hash help history jobs kill let local
  logout ls mapfile npm popd printf pushd pwd read readarray readonly return rm set shift shopt source
  sudo suspend test time times trap true type typeset ulimit umask unalias unset wait xargs cat grep
  node python python3 make sed awk cp mv mkdir chmod bash sh command_not_found_handle`.split(/\s+/),
);

export function isReserved(name: string): boolean {
  return RESERVED.has(name);
}

/** Builtins that evaluate the names and numbers they are given. */
const NAMING: ReadonlySet<string> = new Set(
  'let declare typeset local readonly export unset read mapfile readarray getopts'.split(' '),
);
const EVALUATING: ReadonlySet<string> = new Set([...NAMING, 'test', '[', 'wait', 'set']);
const SET_OPTIONS = /^(errexit|nounset|xtrace|pipefail|verbose|noglob|noclobber|errtrace)$/;
const SHOPT_OPTIONS =
  /^(-[suqp]+|nullglob|globstar|dotglob|failglob|nocaseglob|inherit_errexit|checkwinsize|nocasematch)$/;

/** Builtins that change how the shell reads or finds commands, and the words with which they do. */
const CHANGING: readonly (readonly [programs: RegExp, words: RegExp])[] = [
  [/^(enable|bind|complete|compgen|compopt|fc|history)$/, /^/],
  [/^jobs$/, /^-[a-z]*x/],
  [/^hash$/, /^-[a-z]*p/],
  [/^(mapfile|readarray)$/, /^-[a-z]*C/],
  [/^(declare|typeset|local)$/, /^[-+][A-Za-z]*[nif]/],
];

/** What some builtins change in the shell itself. */
export function readBuiltin(reader: ParseContext, program: string, argv: readonly Arg[]): void {
  const { builder } = reader;
  if (EVALUATING.has(program) || (program === 'printf' && argv[0]?.text === '-v')) {
    for (const { text } of argv) reader.checkEvaluatedAgain(text);
  }
  if (NAMING.has(program)) {
    const open = argv.find((arg) => arg.open !== null && !/^[A-Za-z_]\w*=/.test(arg.start));
    if (open) builder.addDoubt('evaluated_text', open.text);
  }
  if (changesShell(program, argv)) {
    builder.addDoubt('changed_shell', [program, ...argv.map(({ text }) => text)].join(' '));
  }
  if (program === 'alias' && argv.length > 0) builder.addDoubt('alias', 'alias');
}

function changesShell(program: string, argv: readonly Arg[]): boolean {
  if (program === 'set') return !isPlainSet(argv);
  if (program === 'shopt')
    return !argv.every(({ text, open }) => open === null && SHOPT_OPTIONS.test(text));
  const words = CHANGING.find(([programs]) => programs.test(program))?.[1];
  return (
    words !== undefined && ['', ...argv.map(({ text }) => text)].some((text) => words.test(text))
  );
}

/** Options that change when the shell stops and what it prints, but not how it reads. */
function isPlainSet(argv: readonly Arg[]): boolean {
  for (const [at, { text, open }] of argv.entries()) {
    if (text === '--' || text === '-') return true;
    if (!/^[-+]/.test(text))
      return argv[at - 1]?.text.endsWith('o') ? SET_OPTIONS.test(text) : true;
    if (open !== null || !/^[-+][euxvfCEo]+$/.test(text)) return false;
  }
  return true;
}
