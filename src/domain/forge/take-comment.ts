import { resolveAgentName } from '../agent-name.ts';
import type { Board } from '../board.ts';
import type { ClosedWork } from '../closed-work.ts';
import { type Decision, decide, type Now } from '../decision.ts';
import type { HallEvent } from '../event.ts';
import type { TaskId, ThreadId } from '../ids.ts';
import { answer } from '../operator-actions.ts';
import { isRefusal } from '../refusal.ts';
import { isAwaitingInput } from '../task.ts';
import { isPending, type Thread } from '../thread.ts';
import { unknownAgentText } from './agent-names.ts';
import { runCommand } from './commands.ts';
import { issueForm, skillInMode } from './issue-form.ts';
import { type LookResult, openThreadOf, recordOf, seenEvents } from './look-result.ts';
import { commandIn, mentionIn } from './mention.ts';
import { postFromForge } from './post-from-forge.ts';
import type { Reply } from './reply.ts';
import { actorOf, mayTrigger, teamsFor } from './rights.ts';
import type { Comment } from './snapshot.ts';

const SECOND = 1_000;

/** The comments to read, oldest first: of the issue and of its pull request. */
export function newComments(board: Board, result: LookResult): readonly Comment[] {
  const { issue, pull } = result.snapshot;
  const { comment: last } = recordOf(board, result).seen;
  const all = [...(issue?.comments ?? []), ...(pull?.comments ?? [])];
  return all
    .filter((comment) => comment.id > last && concernsHall(board, result, comment))
    .toSorted((a, b) => a.id - b.id);
}

/** Where the hall has no open work, only what is written to it; and nothing from before it was connected. */
function concernsHall(board: Board, result: LookResult, { body, at }: Comment): boolean {
  if (openThreadOf(board, result)) return true;
  // Forges tell time in whole seconds.
  if (at + SECOND <= result.project.addedAt) return false;
  const mention = mentionIn(body, result.rights.own.login, () => true);
  return mention !== undefined || commandIn(body) !== undefined;
}

/**
 * A comment answers a question, gives a command, or mentions an agent. Comments of people without the
 * right change nothing, and agents do not see them.
 */
export function takeComment(
  board: Board,
  closed: ClosedWork,
  { result, comment }: { readonly result: LookResult; readonly comment: Comment },
  now: Now,
): Decision<ThreadId | null> {
  const seen = { comment: comment.id };
  const only = seenEvents(recordOf(board, result), seen);
  const teams = teamsFor(board, agentMeant(board, result, comment));
  if (!mayTrigger(result.rights, comment.author, teams)) return decide(null, only);
  const by = { ...now, actor: actorOf(result.repo, comment.author) };
  const thread = openThreadOf(board, result);
  const command = commandIn(comment.body);
  if (command)
    return runCommand(board, closed, { result, comment, command, thread, seen: only }, by);
  const question = thread && openQuestion(board, thread);
  if (question !== undefined) return answered(board, closed, { question, comment, only }, by);
  const mention = mentionIn(comment.body, result.rights.own.login, (slug) =>
    Boolean(resolveAgentName(board, slug)),
  );
  if (!mention) return decide(null, only);
  if (mention.is === 'plain')
    return mentioned(board, closed, { result, comment, thread, only }, by);
  const { slug } = mention;
  if (!resolveAgentName(board, slug)) {
    return decide(null, [
      { type: 'ReplyQueued', reply: unknown(board, result, comment, slug) },
      ...only,
    ]);
  }
  const { issue } = result.snapshot;
  const skill =
    thread && isPending(thread.forge.pr)
      ? 'address-review'
      : skillInMode(issueForm(issue?.body ?? ''));
  const task = { skill, agent: slug, body: comment.body, by: comment.author, seen };
  return postFromForge(board, closed, result, task, by);
}

/** The agent that a comment is for: the one that it names, else that of the thread. */
export function agentMeant(board: Board, result: LookResult, { body }: Comment): string | null {
  const isKnown = (slug: string) => Boolean(resolveAgentName(board, slug));
  const mention = mentionIn(body, result.rights.own.login, isKnown);
  const named = mention?.is === 'agent' && isKnown(mention.slug) ? mention.slug : null;
  return named ?? openThreadOf(board, result)?.agent ?? null;
}

/** Decided by the board, not by a label, so there is no race with one. */
function openQuestion(board: Board, { tasks }: Thread): TaskId | undefined {
  return tasks.find((id) => {
    const task = board.tasks.get(id);
    return task !== undefined && isAwaitingInput(task.state);
  });
}

interface Answering {
  readonly question: TaskId;
  readonly comment: Comment;
  readonly only: readonly HallEvent[];
}

function answered(
  board: Board,
  closed: ClosedWork,
  { question, comment, only }: Answering,
  by: Now,
): Decision<ThreadId | null> {
  const decision = answer(board, closed, { task: question, text: comment.body }, by);
  if (isRefusal(decision.answer)) return decide(null, only);
  return decide(null, [...decision.events, ...only]);
}

interface Mentioned {
  readonly result: LookResult;
  readonly comment: Comment;
  readonly thread: Thread | undefined;
  readonly only: readonly HallEvent[];
}

/** On a pull request of the hall a mention without an agent is feedback for the agent that opened it. */
function mentioned(
  board: Board,
  closed: ClosedWork,
  { result, comment, thread, only }: Mentioned,
  by: Now,
): Decision<ThreadId | null> {
  if (!thread || !isPending(thread.forge.pr)) return decide(null, only);
  const task = {
    skill: 'address-review',
    agent: null,
    body: comment.body,
    by: comment.author,
    seen: { comment: comment.id },
  };
  return postFromForge(board, closed, result, task, by);
}

function unknown(board: Board, { repo, number }: LookResult, { id }: Comment, slug: string): Reply {
  return { key: `comment-${id}`, repo, number, text: unknownAgentText(board, slug) };
}
