import { nameOf } from '../ids.ts';
import type { Pause } from '../project.ts';
import type { Thread } from '../thread.ts';
import { withoutMentions } from './without-mentions.ts';

interface Escalation {
  readonly thread: Thread;
  readonly handedOver: Pause;
  /** Handles of those who paid for the runs. */
  readonly invokers: readonly string[];
}

/** The comment that tells people that agents cannot go on. It mentions who paid and who asked. */
export function escalationText({ thread, handedOver, invokers }: Escalation): string {
  const { issue, ciRetries, rounds, checks } = thread.forge;
  const names = [...invokers, ...(issue?.actor === undefined ? [] : [loginIn(issue.actor)])];
  const mentions = [...new Set(names)].filter((name) => LOGIN.test(name));
  const failing = checks?.is === 'red' ? checks.failing.map((name) => `\`${name}\``) : [];
  return [
    `${mentions.map((name) => `@${name} `).join('')}agents cannot go on with ${nameOf('thread', thread.id)}; it waits for a person.`,
    '',
    ...shown(handedOver.because ?? 'no reason was given').map((line) => `> ${line}`),
    '',
    `- failed checks in a row: ${ciRetries}`,
    `- rounds of review: ${rounds}`,
    ...(failing.length === 0 ? [] : [`- failing now: ${failing.join(', ')}`]),
    '',
    'Write `/handback` to let agents try again.',
  ].join('\n');
}

const LOGIN = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}(\[bot\])?$/;

/** `ada` of `github:ada`. */
function loginIn(actor: string): string {
  return actor.replace(/^[^:]*:/, '');
}

function shown(text: string): readonly string[] {
  return withoutMentions(text).slice(0, 4_000).split('\n');
}
