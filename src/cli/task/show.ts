import { visible, visibleLines } from '../../api/escape-control-characters.ts';
import type { OperationResult } from '../../api/operation.ts';
import type { Cli, CommandSpec } from '../command.ts';
import { formatTime } from '../format-time.ts';
import { handedOver } from '../thread/handed-over.ts';
import { TASK_ARGUMENT, takerText } from './columns.ts';
import { findTask } from './find-task.ts';
import { reasonsText } from './why.ts';

type TaskDetail = OperationResult<'getTask'>;

export const TASK_SHOW: CommandSpec = {
  summary: 'show one task with its thread, runs and notes, and why it is waiting',
  arguments: [
    {
      usage: TASK_ARGUMENT.usage,
      about: 'the task, such as t-12, its branch, or the URL of its issue or pull request',
    },
  ],
  options: [{ flags: '--prompt', about: 'show the prompt that its agent gets' }],
  examples: [
    'guildhall task show t-12',
    'guildhall task show hall/dev/issue-12',
    'guildhall task show t-12 --json',
    'guildhall task show t-12 --prompt',
  ],
  run: async (cli, input) => {
    const { client, out } = cli;
    const id = await findTask(cli, input.argument(0));
    if (input.flag('prompt')) {
      const prompt = await client().call('getTaskPrompt', { path: { id } });
      out.answer(prompt, ({ system, task }) => visibleLines(`${system}\n\n---\n\n${task}`));
      return;
    }
    const detail = await client().call('getTask', { path: { id } });
    out.answer(detail, (shown) => taskText(shown, cli));
  },
};

function taskText(detail: TaskDetail, { out, localized }: Cli): string {
  const { task, thread, runs, children, notes, why, next_step } = detail;
  const { colours } = out;
  const lines = [
    `${colours.bold(task.id)}  ${visible(task.title)}`,
    `${task.state} since ${formatTime(task.since)}`,
    ...stateFacts(task),
    `project ${task.project}, skill ${task.skill}, for ${takerText(task)}, size ${task.size}`,
    ...(task.labels.length > 0 ? [`labels ${visible(task.labels.join(', '))}`] : []),
    `posted by ${visible(task.posted_by)}${proposer(task)} at ${formatTime(task.posted_at)}, thread ${thread.id} (${thread.state})`,
    ...handedOver(thread.handed_over).map(localized),
    ...(thread.blocked_by.length > 0 ? [`waits for ${thread.blocked_by.join(', ')}`] : []),
    ...(thread.progress ? [thread.progress] : []),
    ...(thread.branch ? [`branch ${visible(thread.branch)}`] : []),
    ...(thread.pr ? [`pull request ${visible(thread.pr.url)} (${thread.pr.state})`] : []),
  ];
  if (task.body !== '') lines.push('', visibleLines(task.body.trimEnd()));
  if (why && why.reasons.length > 0) lines.push('', ...reasonsText(why.reasons).map(localized));
  if (next_step !== null) lines.push('', visible(localized(next_step)));
  if (children.length > 0) lines.push('', out.table(CHILD_COLUMNS, children, ''));
  if (runs.length > 0) lines.push('', out.table(RUN_COLUMNS, runs, ''));
  for (const { kind, by, at, text } of notes) {
    lines.push(
      '',
      colours.dim(`${kind} by ${visible(by)} at ${formatTime(at)}`),
      visibleLines(text),
    );
  }
  return lines.join('\n');
}

/** The facts of the state: until when, why, with which outcome. */
function stateFacts(task: TaskDetail['task']): readonly string[] {
  const { until, because, question, outcome, summary, rejection, run } = task;
  return [
    ...(run ? [`run ${run}`] : []),
    ...(until ? [`until ${formatTime(until)}`] : []),
    ...(because ? [visible(because)] : []),
    ...(question ? [`asks: ${visibleLines(question)}`] : []),
    ...(outcome ? [`outcome ${visible(outcome)}`] : []),
    ...(summary ? [visibleLines(summary)] : []),
    ...(rejection ? rejectionText(rejection) : []),
  ];
}

type Rejection = NonNullable<TaskDetail['task']['rejection']>;

function rejectionText(rejection: Rejection): readonly string[] {
  const { reason_code, message, missing, questions, suggested_size } = rejection;
  return [
    `${reason_code}: ${visibleLines(message)}`,
    ...missing.map((each) => `missing: ${visibleLines(each)}`),
    ...questions.map((each) => `asks: ${visibleLines(each)}`),
    ...(suggested_size ? [`suggests size ${suggested_size}`] : []),
  ];
}

function proposer({ proposed_by: by }: TaskDetail['task']): string {
  return by ? `, proposed by ${by.worker} (${visible(by.instance)})` : '';
}

const CHILD_COLUMNS = [
  { head: 'CHILD', cell: ({ task, id }: TaskDetail['children'][number]) => task?.id ?? id },
  {
    head: 'STATE',
    cell: ({ task, state }: TaskDetail['children'][number]) => task?.state ?? state,
  },
  { head: 'THREAD', cell: ({ id, state }: TaskDetail['children'][number]) => `${id} (${state})` },
  { head: 'TITLE', cell: ({ title }: TaskDetail['children'][number]) => title },
] as const;

const RUN_COLUMNS = [
  { head: 'RUN', cell: ({ id }: TaskDetail['runs'][number]) => id },
  { head: 'AGENT', cell: ({ instance }: TaskDetail['runs'][number]) => instance },
  { head: 'CLAIMED', cell: ({ claimed_at }: TaskDetail['runs'][number]) => formatTime(claimed_at) },
  { head: 'ENDED', cell: ({ ending }: TaskDetail['runs'][number]) => formatTime(ending?.at) },
  { head: 'HOW', cell: ({ ending }: TaskDetail['runs'][number]) => ending?.how ?? 'active' },
  { head: 'BECAUSE', cell: ({ ending }: TaskDetail['runs'][number]) => ending?.because ?? null },
] as const;
