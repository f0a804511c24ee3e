import type { Arg } from '../../parsed-command.ts';
import type { JudgedCall } from '../judge-call.ts';
import { type Ruling, review } from '../ruling.ts';

/** Installs without review only what the repository declares or contains. */
export function checkInstall({ operands, given }: JudgedCall): readonly Ruling[] {
  const edited = given.flatMap(({ word, value }) =>
    /^(-e|--editable)$/.test(word) && value ? [value] : [],
  );
  const named = [
    ...operands.filter(({ start, text }) => !isLocal(start) && !PACKAGING.has(text)),
    ...edited.filter(isElsewhere),
  ];
  return named.map(({ text }) => review(`${text} may be a package that is not in the lock file`));
}

/** Packaging tools: every manual names them, and they add nothing of their own. */
const PACKAGING: ReadonlySet<string> = new Set(['pip', 'setuptools', 'wheel', 'build']);

function isLocal(name: string): boolean {
  if (name.includes('://')) return false;
  return /^(\.{1,2}(\/|\[|$)|file:|\/|dist\/|\.\[)/.test(name) || /\.(whl|tgz|tar\.gz)$/.test(name);
}

function isElsewhere({ start }: Arg): boolean {
  return /:\/\/|\+/.test(start);
}

/** Only what is in the workspace is built without review. */
export function checkCargoInstall({ given }: JudgedCall): readonly Ruling[] {
  return given.some(({ word }) => word === '--path')
    ? []
    : [review('it adds a package that is not in the lock file')];
}

/** Reading the settings of a package manager is fine; changing them is not. */
export function checkSettings({ operands: [verb] }: JudgedCall): readonly Ruling[] {
  return /^(get|list|ls|debug)$/.test(verb?.text ?? 'list')
    ? []
    : [review('it changes the settings of the package manager')];
}
