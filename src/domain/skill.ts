import type { Size } from './size.ts';

interface SkillFacts {
  /** The agent type that takes the task when it names none. */
  readonly type: string;
  /** Writing tasks of one thread never run concurrently. */
  readonly writes: boolean;
}

const SKILLS: Readonly<Record<string, SkillFacts>> = {
  implement: { type: 'dev', writes: true },
  'address-review': { type: 'dev', writes: true },
  'fix-ci': { type: 'dev', writes: true },
  rebase: { type: 'dev', writes: true },
  review: { type: 'reviewer', writes: false },
  merge: { type: 'boss', writes: true },
  breakdown: { type: 'boss', writes: false },
  advise: { type: 'dev', writes: false },
  research: { type: 'dev', writes: false },
  triage: { type: 'boss', writes: false },
  decompose: { type: 'boss', writes: false },
  'post-mortem': { type: 'boss', writes: false },
};

/** Its result is what it says: the hall puts it on the issue as a comment. */
export function endsInComment(skill: string): boolean {
  return skill === 'advise' || skill === 'research';
}

export const DECOMPOSE = 'decompose';
export const BREAKDOWN = 'breakdown';

/** The skills that come with the product; a hall may have others. */
export const KNOWN_SKILLS: readonly string[] = Object.keys(SKILLS);

/** Works on the thread as a whole: a second task beside it would do the same work again. */
export function isOncePerThread(skill: string): boolean {
  return ['address-review', 'fix-ci', 'rebase', 'merge'].includes(skill);
}

/** Continues the work of the thread's own agent, on its branch. */
export function fixesOwnWork(skill: string): boolean {
  return ['address-review', 'fix-ci', 'rebase'].includes(skill);
}

export function defaultType(skill: string): string {
  return SKILLS[skill]?.type ?? 'dev';
}

/** An unknown skill is assumed to write, which only costs parallelism. */
export function writes(skill: string): boolean {
  return SKILLS[skill]?.writes ?? true;
}

/** The size whose times apply: steering is short work, whatever the size of its thread. */
export function timedAs(skill: string, size: Size): Size {
  return skill === 'triage' || skill === DECOMPOSE ? 'M' : size;
}
