import type { Arg } from '../../domain/parsed-command.ts';
import { table } from '../../domain/tool-policy/option-table.ts';
import { readOptions } from '../../domain/tool-policy/read-options.ts';
import { type InnerCommand, joinedShell } from './wrappers.ts';

/** Shells whose text is read as bash reads it. */
export const SHELLS: ReadonlySet<string> = new Set(['bash', 'sh', 'dash', 'ash', 'rbash']);

/** Shells with their own rules: our reading of their text is a guess. */
export const OTHER_SHELLS: ReadonlySet<string> = new Set(
  'zsh ksh mksh fish csh tcsh pwsh xonsh nu elvish'.split(' '),
);

/** The options that change nothing about which text the shell reads, and how. */
const PLAIN = table('Bash 5.2 manual: Invoking Bash', '', { syntax: 'posix' })`
  -e -u -x -l -r -s -p -n -c -o= --login --norc --noprofile --posix`;
const SET_OPTIONS = /^(pipefail|errexit|nounset|xtrace)$/;

/** Where a shell's text comes from: `-c`, a file (left to the path rules), or its input. */
export function innerOfShell(argv: readonly Arg[], input: readonly Arg[]): readonly InnerCommand[] {
  const { given, operands, unclear } = readOptions(PLAIN, argv);
  const [operand] = operands;
  const unknown = given.find(
    ({ word, option, value }) => !option || (word === '-o' && !SET_OPTIONS.test(value?.text ?? '')),
  );
  const doubt = unknown?.word ?? unclear[0]?.text;
  if (doubt !== undefined) return [{ doubt }];
  if (operand?.start.startsWith('+')) return [{ doubt: operand.text }];
  const has = (name: string) => given.some(({ word }) => word === name);
  if (has('-c')) return operand ? [{ shell: operand }] : [];
  if (operand && !has('-s')) return innerOfScript(operands);
  if (input.length === 0) return [{ doubt: 'a shell that reads its commands from stdin' }];
  return input.map((shell) => ({ shell }));
}

/**
 * A file that is the shell's own input is not on disk. If the folder has no script of that name, the shell
 * searches PATH too. A name with a dot counts as a file: programs that are shell scripts have none.
 */
function innerOfScript(argv: readonly Arg[]): readonly InnerCommand[] {
  const [script] = argv;
  if (!script) return [];
  if (/^\/(dev|proc)\//.test(script.start)) return [{ doubt: script.text }];
  return script.open === null && /^[^./][^./]*$/.test(script.text) ? [{ argv }] : [];
}

/** Builtins that run text or a file. */
export const RUNNING_BUILTINS: Readonly<
  Record<string, (argv: readonly Arg[]) => readonly InnerCommand[]>
> = {
  '.': innerOfScript,
  source: innerOfScript,
  eval: (argv) => (argv.length === 0 ? [] : [joinedShell(argv)]),
  trap: (argv) => {
    const [action, ...signals] = argv.filter(({ text }) => text !== '--');
    if (!action || signals.length === 0 || /^-[lp]?$/.test(action.text)) return [];
    return [{ shell: action }];
  },
};
