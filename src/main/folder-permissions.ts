import { statSync } from 'node:fs';

/** Whether other accounts than the hall's have any access to its data folder. */
export function isOpenToOthers(folder: string): boolean {
  return (statSync(folder).mode & 0o077) !== 0;
}
