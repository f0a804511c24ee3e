import { statSync } from 'node:fs';

/** Whether accounts other than that of the hall may do anything in its data folder. */
export function isOpenToOthers(folder: string): boolean {
  return (statSync(folder).mode & 0o077) !== 0;
}
