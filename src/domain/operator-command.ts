/** The commands that sentences of the hall name. The CLI prints them the way its user types them. */
export const OPERATOR_COMMANDS = [
  'agents list',
  'agents resume',
  'approvals approve',
  'approvals list',
  'doctor',
  'init',
  'invokers resume',
  'project remove',
  'project resume',
  'restore',
  'resume',
  'secrets list',
  'secrets rotate',
  'secrets set',
  'start',
  'stop',
  'task add',
  'task answer',
  'task approve',
  'task cancel',
  'task edit',
  'task release',
  'task reopen',
  'task retry',
  'task why',
  'thread handback',
  'thread mark-merged',
  'thread merge',
  'thread recheck',
  'thread review',
  'thread show',
] as const;

/**
 * A command for the operator in a sentence of the hall. The hall cannot know how a reader starts the
 * program or which options select this hall there, so the plain name stands for both.
 */
export function operatorCommand(
  command: (typeof OPERATOR_COMMANDS)[number],
  ...args: readonly string[]
): string {
  return ['guildhall', command, ...args].join(' ');
}
