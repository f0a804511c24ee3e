import type { Answered } from '../../api/operation.ts';
import type { CommandSpec } from '../command.ts';
import type { Output } from '../output.ts';
import { visible, visibleLines } from '../visible.ts';
import { when } from '../when.ts';
import { TASK_ARGUMENT } from './columns.ts';
import { reasonsText } from './why.ts';

type Whole = Answered<'getTask'>;

export const TASK_SHOW: CommandSpec = {
  path: 'task show',
  summary: 'one task with its thread, runs and notes, and why it waits',
  asks: 'hall',
  arguments: [TASK_ARGUMENT],
  examples: ['guildhall task show t-12', 'guildhall task show t-12 --json'],
  run: async ({ client, out }, input) => {
    const whole = await client().call('getTask', { path: { id: input.argument(0) } });
    out.answer(whole, (shown) => taskText(shown, out));
  },
};

function taskText({ task, thread, runs, notes, why }: Whole, out: Output): string {
  const { colours } = out;
  const lines = [
    `${colours.bold(task.id)}  ${visible(task.title)}`,
    `${task.state} since ${when(task.since)}`,
    ...stateFacts(task),
    `project ${task.project}, skill ${task.skill}, for ${task.instance ?? task.type}, size ${task.size}`,
    ...(task.labels.length > 0 ? [`labels ${visible(task.labels.join(', '))}`] : []),
    `posted by ${visible(task.posted_by)} at ${when(task.posted_at)}, thread ${thread.id} (${thread.state})`,
    ...(thread.waits_for.length > 0 ? [`waits for ${thread.waits_for.join(', ')}`] : []),
    ...(thread.progress ? [thread.progress] : []),
    ...(thread.branch ? [`branch ${visible(thread.branch)}`] : []),
    ...(thread.pr ? [`pull request ${visible(thread.pr.url)} (${thread.pr.state})`] : []),
  ];
  if (task.body !== '') lines.push('', visibleLines(task.body.trimEnd()));
  if (why && why.reasons.length > 0) lines.push('', ...reasonsText(why.reasons));
  if (runs.length > 0) lines.push('', out.table(RUN_COLUMNS, runs, ''));
  for (const { kind, by, at, text } of notes) {
    lines.push('', colours.dim(`${kind} by ${visible(by)} at ${when(at)}`), visibleLines(text));
  }
  return lines.join('\n');
}

/** What the state carries: until when, because of what, with which outcome. */
function stateFacts(task: Whole['task']): readonly string[] {
  const { until, because, question, outcome, summary, rejection, run } = task;
  return [
    ...(run ? [`run ${run}`] : []),
    ...(until ? [`until ${when(until)}`] : []),
    ...(because ? [visible(because)] : []),
    ...(question ? [`asks: ${visibleLines(question)}`] : []),
    ...(outcome ? [`outcome ${visible(outcome)}`] : []),
    ...(summary ? [visibleLines(summary)] : []),
    ...(rejection ? [`${rejection.reason_code}: ${visibleLines(rejection.message)}`] : []),
  ];
}

const RUN_COLUMNS = [
  { head: 'RUN', cell: ({ id }: Whole['runs'][number]) => id },
  { head: 'AGENT', cell: ({ instance }: Whole['runs'][number]) => instance },
  { head: 'CLAIMED', cell: ({ claimed_at }: Whole['runs'][number]) => when(claimed_at) },
  { head: 'ENDED', cell: ({ ending }: Whole['runs'][number]) => when(ending?.at) },
  { head: 'HOW', cell: ({ ending }: Whole['runs'][number]) => ending?.how ?? 'under way' },
] as const;
