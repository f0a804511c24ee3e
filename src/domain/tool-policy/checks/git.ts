import type { JudgedCall } from '../judge-call.ts';
import { type Ruling, review } from '../ruling.ts';

/** Git settings that cannot name a program. */
const PLAIN_SETTING =
  /^(user\.(name|email)|init\.defaultbranch|commit\.gpgsign|tag\.gpgsign|color\.\w+|advice\.\w+|core\.(autocrlf|eol|filemode|quotepath|longpaths|ignorecase|abbrev)|pull\.(rebase|ff)|merge\.conflictstyle|diff\.(algorithm|renames|noprefix|mnemonicprefix)|safe\.directory|gc\.auto|rebase\.autostash|fetch\.prune|log\.showsignature)(=|$)/i;

/** A setting can define an alias or a pager, and so name a program. */
export function checkGlobals({ given }: JudgedCall): readonly Ruling[] {
  const risky = given.find(
    ({ word, value }) => word === '-c' && (value?.open !== null || !PLAIN_SETTING.test(value.text)),
  );
  return risky
    ? [review(`git -c ${risky.value?.text ?? ''} can name a program that git runs`)]
    : [];
}

/** Only a reading option in full counts: git 2.39 writes the setting after an abbreviated `--ge`. */
export function checkConfig({
  operands,
  given,
  argv,
  firstOperand,
}: JudgedCall): readonly Ruling[] {
  const [first, second, ...more] = operands;
  const before = firstOperand < 0 ? argv : argv.slice(0, firstOperand);
  const hasReader = before.some(({ text }) => READS.test(text));
  const hasWriter = given.some(({ word }) => WRITES.test(word));
  const isVerb = /^(list|get|set|unset)$/.test(first?.text ?? '');
  if (hasReader && !hasWriter) return [];
  if (/^(list|get)$/.test(first?.text ?? '')) return [];
  const key = isVerb ? second : first;
  const values = isVerb ? more : operands.slice(1);
  if (!key || (values.length === 0 && !isVerb && !hasWriter)) return [];
  if (key.open === null && PLAIN_SETTING.test(key.text)) return [];
  return [review(`the setting ${key.text} can name a program that git runs`)];
}

const READS =
  /^(--get|--get-all|--get-regexp|--get-urlmatch|--list|-l|--get-color|--get-colorbool)$/;
const WRITES = /^(--add|--replace-all|--unset|--unset-all|--rename-section|--remove-section)$/;

/** Git-ignored files are build output, and a dry run removes nothing. */
export function checkClean({ given }: JudgedCall): readonly Ruling[] {
  const words = given.map(({ word }) => word);
  const isDry = words.some((word) => /^(-n|--dry-run)$/.test(word));
  if (isDry && !words.includes('--no-dry-run')) return [];
  if (words.includes('-X') && !words.includes('-x')) return [];
  return [review('it removes untracked files')];
}

export function checkRemote({ operands: [verb] }: JudgedCall): readonly Ruling[] {
  if (!verb || verb.text === 'get-url') return [];
  return [review('it changes where git fetches from and pushes to, or connects to it')];
}

export function checkBisect({ operands: [verb] }: JudgedCall): readonly Ruling[] {
  return /^(run|visualize|view)$/.test(verb?.text ?? '')
    ? [review('git bisect run starts another program')]
    : [];
}
