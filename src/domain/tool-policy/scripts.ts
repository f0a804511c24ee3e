import type { Arg } from '../parsed-command.ts';
import type { JudgedCall } from './judge-call.ts';
import { FINE, type Ruling, review } from './ruling.ts';
import { isPlainSed } from './sed-script.ts';

/** Judges a script from the command line: only a few plain forms are read. */
export function ruleScriptText(
  { text, open }: Arg,
  { name, table: { language } }: JudgedCall,
): Ruling {
  const isPlain = language === undefined ? undefined : PLAIN[language];
  if (open === null && text.length <= MAX_READ && isPlain?.(text)) return FINE;
  return review(`cannot determine what the code given to ${name} does: ${text}`);
}

const MAX_READ = 2_000;

/** Imports and prints. */
const PYTHON =
  /^\s*(import [\w., ]+|from [\w.]+ import [\w., ]+|print\((['"][\w .-]*['"]|[\w.]+(\(\))?)?\)|[;\s])*$/;
/** Prints a value of a JSON file or of the process. */
const NODE =
  /^\s*(console\.log\()?(require\((['"])(\.{0,2}[\w./@-]*\.json|os|path)\3\)|process)(\.[\w$]+|\[\d+\]|\[['"][\w-]+['"]\]|\(\))*\)?;?\s*$/;

const PLAIN = {
  sed: isPlainSed,
  awk: isPlainAwk,
  python: (text: string) => text.length <= 300 && PYTHON.test(text),
  node: (text: string) => text.length <= 300 && NODE.test(text),
} as const;

/**
 * Whether an awk program only computes and prints. Texts are left out only where no slash and no comment
 * could make a quote mean something else.
 */
function isPlainAwk(program: string): boolean {
  const code = /[/#]|\\\n/.test(program)
    ? program
    : program.replace(/"(?:[^"\\\n]|\\[^\n])*"/g, '""');
  const calls = /system|getline|fflush|close|ENVIRON|PROCINFO|ARGV|load|extension|include|@/;
  return !calls.test(code) && !code.replaceAll('||', ' ').includes('|') && !/print.*>/s.test(code);
}
