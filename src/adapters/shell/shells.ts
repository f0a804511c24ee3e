import type { Arg } from '../../domain/parsed-command.ts';
import type { InnerCommand } from './wrappers.ts';

/** Shells whose text is read as bash reads it. */
export const SHELLS: ReadonlySet<string> = new Set(['bash', 'sh', 'dash', 'ash', 'rbash']);

/** Shells with their own rules: our reading of their text is a guess. */
export const OTHER_SHELLS: ReadonlySet<string> = new Set([
  'zsh',
  'ksh',
  'mksh',
  'fish',
  'csh',
  'tcsh',
  'pwsh',
  'xonsh',
  'nu',
  'elvish',
]);

const PLAIN =
  /^[-+][eux]+$|^-(l|ex|eu|eux|euxo|euo|eo|exo|o|e|u|x|s|r|p|n)+$|^--(login|norc|noprofile|posix)$/;

/** A file that is the shell's own input, rather than a script on disk. */
export function isStream({ start }: Arg): boolean {
  return /^\/(dev|proc)\//.test(start);
}

/**
 * If the folder has no script of that name, the shell searches PATH too. A name with a dot counts as a
 * file: programs that are shell scripts have none.
 */
export function scriptOnPath(argv: readonly Arg[]): readonly InnerCommand[] {
  const [script] = argv;
  return script?.open === null && /^[^./][^./]*$/.test(script.text) ? [{ argv }] : [];
}

const OPTIONS: ReadonlySet<string> = new Set(['pipefail', 'errexit', 'nounset', 'xtrace']);

/** Where a shell's text comes from: `-c`, a file (left to the path rules), or its input. */
export function innerOfShell(argv: readonly Arg[], input: readonly Arg[]): readonly InnerCommand[] {
  let hasText = false;
  let at = 0;
  for (; at < argv.length; at += 1) {
    const { text, start, open } = argv[at] as Arg;
    if (open !== null && !/^[^-+]/.test(start)) return [{ doubt: text }];
    if (!/^[-+]./.test(text)) break;
    if (text === '--') {
      at += 1;
      break;
    }
    const plain = text.replace('c', '');
    if (/^-[a-z]*c[a-z]*$/.test(text)) hasText = true;
    if (!PLAIN.test(plain) && plain !== '-') return [{ doubt: text }];
    if (/^[-+][a-z]*o$/.test(text)) {
      at += 1;
      if (!OPTIONS.has(argv[at]?.text ?? '')) return [{ doubt: argv[at]?.text ?? text }];
    }
  }
  const operand = argv[at];
  if (hasText) return operand ? [{ shell: operand }] : [];
  if (operand) return isStream(operand) ? [{ doubt: operand.text }] : scriptOnPath(argv.slice(at));
  if (input.length === 0) return [{ doubt: 'a shell that reads its commands from stdin' }];
  return input.map((shell) => ({ shell }));
}
