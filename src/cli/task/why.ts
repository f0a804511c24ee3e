import { visible } from '../../api/escape-control-characters.ts';
import type { OperationResult } from '../../api/operation.ts';
import type { CommandSpec } from '../command.ts';
import { formatTime } from '../format-time.ts';
import { TASK_ARGUMENT } from './columns.ts';

type Why = OperationResult<'whyTask'>;

export const TASK_WHY: CommandSpec = {
  summary:
    'show why a task is not running, rule by rule, and what would change that, or why it ended',
  arguments: [TASK_ARGUMENT],
  examples: ['guildhall task why t-12'],
  run: async ({ client, out, localized }, input) => {
    const id = input.argument(0);
    const why = await client().call('whyTask', { path: { id } });
    out.answer(why, (shown) => localized(whyText(id, shown)));
  },
};

function whyText(id: string, why: Why): string {
  const ahead = why.ahead === 0 ? '' : `, ${why.ahead} ahead of it`;
  const lines = [`${visible(id)} is ${why.state} since ${formatTime(why.since)}${ahead}`];
  if (why.claimable) lines.push('the next matching worker can claim it');
  lines.push(...reasonsText(why.reasons));
  for (const { instance, reasons } of why.takers) {
    if (reasons.length === 0) continue;
    lines.push(
      `${visible(instance)}: ${reasons.map(({ because }) => visible(because)).join('; ')}`,
    );
  }
  return lines.join('\n');
}

export function reasonsText(reasons: Why['reasons']): readonly string[] {
  return reasons.flatMap(({ rule, because, frees, until }) => [
    `${rule}: ${visible(because)}`,
    rule === 'task_closed'
      ? `  ${visible(frees)}`
      : `  unblocked when ${visible(frees)}${until ? `, at ${formatTime(until)}` : ''}`,
  ]);
}
