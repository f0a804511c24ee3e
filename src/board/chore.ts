import type { Meta } from './command.ts';

/** Who made a change that no request asked for, and which chore of the hall it was. */
export function byChore(chore: string): Meta {
  return { actor: 'hall', cause: `chore: ${chore}` };
}
