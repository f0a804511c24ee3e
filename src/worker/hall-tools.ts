import { SIZES } from '../domain/size.ts';
import { writes } from '../domain/skill.ts';
import { COMPLETED_OUTCOMES, REJECTION_CODES } from '../domain/task.ts';
import { REVIEW_VERDICTS } from '../domain/thread.ts';
import type { HallTool } from '../ports/agent.ts';

const text = (description: string) => ({ type: 'string', description }) as const;
const texts = (description: string) =>
  ({ type: 'array', items: { type: 'string' }, description }) as const;

function tool(
  name: string,
  description: string,
  properties: Readonly<Record<string, unknown>>,
  required: readonly string[],
): HallTool {
  const parameters = { type: 'object', properties, required, additionalProperties: false };
  return { name, description, parameters };
}

const REJECT = tool(
  'reject',
  'End the run: the task should not be done as it stands. Final: the task is not retried.',
  {
    reason_code: { type: 'string', enum: REJECTION_CODES },
    message: text('The reason, for the person who requested the task'),
    missing: texts('What is missing'),
    questions: texts('Questions that would have to be answered first'),
    suggested_size: { type: 'string', enum: SIZES },
  },
  ['reason_code', 'message'],
);

const ASK = tool(
  'ask',
  'End the run for now with one question that only a person can answer. Your commits are kept, and the work resumes when there is an answer.',
  { question: text('The question, with what you know and what depends on the answer') },
  ['question'],
);

const NOTE = tool(
  'note',
  'Leave a note in the thread for the others who work on it.',
  { text: text('What they should know') },
  ['text'],
);

const PROGRESS = tool(
  'progress',
  'Say in a few words what you are doing now.',
  { text: text('A few words') },
  ['text'],
);

const PROPOSE_CHILD = tool(
  'propose_child',
  'Propose one part of the task. Call it once for each part, in order, before you report.',
  {
    ref: text('A short name that later parts use to depend on this one'),
    title: text('What to do, in one line'),
    body: text('What to build, and how to tell that it is done'),
    labels: texts('Labels, never a size'),
    depends_on: texts('The refs of the parts that must be done first'),
  },
  ['ref', 'title', 'body'],
);

/** The hall tools for tasks of this skill. */
export function hallToolsFor(skill: string): readonly HallTool[] {
  const more = skill === 'decompose' || skill === 'breakdown' ? [PROPOSE_CHILD] : [];
  return [reportTool(skill), REJECT, ASK, NOTE, PROGRESS, ...more];
}

function reportTool(skill: string): HallTool {
  const properties = {
    outcome: { type: 'string', enum: outcomesOf(skill) },
    summary: text('The result, in a sentence or two'),
    details: text('Everything else: what changed, what was checked, review comments'),
    ...(skill === 'review' && {
      verdict: { type: 'string', enum: REVIEW_VERDICTS },
    }),
    ...(skill === 'triage' && { agent: text('Who should do it: a name from the catalog') }),
  };
  const required = ['outcome', 'summary', ...(skill === 'review' ? ['verdict'] : [])];
  return tool('report', 'End the run: the task is done, or cannot be done.', properties, required);
}

/** The outcomes that a task of this skill can have. Nothing is pushed for skills that do not write. */
function outcomesOf(skill: string): readonly string[] {
  const done = COMPLETED_OUTCOMES.filter((outcome) => {
    if (outcome === 'pr_created') return writes(skill);
    return outcome !== 'rerouted' || skill === 'triage';
  });
  return [...done, 'failed'];
}
