import type { Board } from './board.ts';
import { type Decision, decide, type Now, no } from './decision.ts';
import type { HallEvent, PostedTask } from './event.ts';
import { nameOf, type TaskId, type ThreadId } from './ids.ts';
import { isReviewed } from './merging.ts';
import { slugOf } from './posting.ts';
import { isLocal, type Project } from './project.ts';
import { blotted } from './redaction.ts';
import { isRefusal, type Refusal, refuse } from './refusal.ts';
import type { Result, Run } from './run.ts';
import { defaultType, writes } from './skill.ts';
import { leftToPerson } from './splitting.ts';
import { isAvailable } from './task.ts';
import type { Checks, Thread, ThreadOnForge, Verdict } from './thread.ts';

/** A thread whose pull request is open, with what its project says about merging. */
interface Open {
  readonly thread: Thread;
  readonly project: Project;
}

/** What a completed run makes of its thread's pull request. */
export function afterWork(
  forge: ThreadOnForge,
  result: Result,
  reviewer: Pick<Verdict, 'by' | 'type'>,
): ThreadOnForge {
  const { branch, commit, pr, verdict } = result;
  if (verdict) {
    return commit === null ? forge : afterReview(forge, { ...reviewer, commit, is: verdict });
  }
  if (branch === null && pr === null) return forge;
  return {
    ...forge,
    branch: branch ?? forge.branch,
    head: commit ?? forge.head,
    pr: pr ? { ...pr, state: 'open' } : forge.pr,
  };
}

export function afterChecks(forge: ThreadOnForge, checks: Checks): ThreadOnForge {
  const ciRetries = checks.is === 'green' ? 0 : forge.ciRetries + 1;
  return { ...forge, checks, ciRetries };
}

export function afterReview(forge: ThreadOnForge, verdict: Verdict): ThreadOnForge {
  if (verdict.type !== null && isJudgedByPerson(forge)) return forge;
  const rounds = forge.rounds + (verdict.is === 'changes_requested' ? 1 : 0);
  return { ...forge, verdict, rounds };
}

/** Whoever speaks through a run is no person, also when its instance is gone by then. */
export function reviewerOf(
  { instances }: Pick<Board, 'instances'>,
  { instance, agent }: Pick<Run, 'instance' | 'agent'>,
): Pick<Verdict, 'by' | 'type'> {
  return { by: agent, type: instances.get(instance)?.type ?? instance };
}

/** What a person said of the commit that it is at stands, whatever an agent says of it afterwards. */
function isJudgedByPerson({ verdict, head }: ThreadOnForge): boolean {
  return verdict?.type === null && verdict.commit === head;
}

/** The checks of a commit were run. One report for each commit counts. */
export function reportChecks(
  board: Board,
  { thread: id, checks, excerpt }: ChecksSaid,
  now: Now,
): Decision<ThreadId> {
  const open = openPullRequest(board, id);
  if (isRefusal(open)) return no(open);
  const { forge } = open.thread;
  if (forge.head !== checks.commit || forge.checks?.commit === checks.commit) return decide(id, []);
  const said: HallEvent = {
    type: 'ChecksReported',
    thread: id,
    checks,
    excerpt: blotted(excerpt),
  };
  const after = { ...open.thread, forge: afterChecks(forge, checks) };
  return decide(id, [said, ...followUp(board, after, { ...now, seq: board.seq + 2 })]);
}

interface ChecksSaid {
  readonly thread: ThreadId;
  readonly checks: Checks;
  readonly excerpt: string;
}

/** A person reviews the commit that the pull request is at now. */
export function review(
  board: Board,
  { thread: id, is, text }: { thread: ThreadId; is: Verdict['is']; text: string },
  now: Now,
): Decision<ThreadId> {
  const open = openPullRequest(board, id);
  if (isRefusal(open)) return no(open);
  const { forge } = open.thread;
  if (forge.head === null) return no(refuse('nothing_to_land', `${spell(id)} has no commit yet`));
  const verdict: Verdict = { commit: forge.head, is, by: now.actor, type: null };
  const after = { ...open.thread, forge: afterReview(forge, verdict) };
  const when = { ...now, seq: board.seq + 2 };
  return decide(id, [
    { type: 'ReviewGiven', thread: id, verdict, text },
    ...followUp(board, after, when),
    ...queued(board, after, when),
  ]);
}

/**
 * What a person asks for while agents are busy in the thread comes next: by then there may be another
 * commit, and nobody would look at what was said of this one, or an agent's approval would stand against it.
 * Work that nobody has begun will read it.
 */
function queued(board: Board, thread: Thread, when: When): readonly HallEvent[] {
  const { tasks, forge } = thread;
  const project = board.projects.get(thread.project);
  if (!project || !isLocal(project) || forge.verdict?.is !== 'changes_requested') return [];
  const open = tasks.flatMap((id) => board.tasks.get(id) ?? []);
  const willRead = open.some(({ state, skill }) => isAvailable(state) && writes(skill));
  if (open.length === 0 || willRead) return [];
  return forge.rounds < project.settings.maxRounds
    ? [posting(board, thread, when)('address-review', '')]
    : [];
}

/** A person wants it merged as soon as it can be: nobody has to approve any more. */
export function askMerge(board: Board, id: ThreadId, now: Now): Decision<ThreadId> {
  const open = openPullRequest(board, id);
  if (isRefusal(open)) return no(open);
  const { project, thread } = open;
  if (!isLocal(project)) {
    const { pr } = thread.forge;
    return no(
      refuse('not_on_this_forge', `${pr?.url} is not the hall's own; merge it where it is`),
    );
  }
  if (thread.forge.mergeAsked !== null) return decide(id, []);
  return decide(id, [{ type: 'MergeAsked', thread: id, by: now.actor }]);
}

/** The host was kept from merging it, and would be again: a person has to know why. */
export function mergeRefused(
  board: Board,
  { thread: id, because }: { thread: ThreadId; because: string },
  now: Now,
): Decision<ThreadId> {
  const open = openPullRequest(board, id);
  if (isRefusal(open)) return no(open);
  const said = `the merge was refused: ${because}`;
  return decide(id, [
    { type: 'MergeAsked', thread: id, by: null },
    leftToPerson(open.thread, said, now.at),
  ]);
}

/** A check could not even be started: no agent can mend that, so a person has to know at once. */
export function checksCannotRun(
  board: Board,
  { thread: id, commit, because }: { thread: ThreadId; commit: string; because: string },
  now: Now,
): Decision<ThreadId> {
  const open = openPullRequest(board, id);
  if (isRefusal(open)) return no(open);
  if (open.thread.forge.head !== commit) return decide(id, []);
  const way = `mend the machine, setup: or the check, then guildhall thread handback ${spell(id)}`;
  return decide(id, [
    ...withdrawn(open.thread),
    leftToPerson(open.thread, `${blotted(because)}\n${way}`, now.at),
  ]);
}

/** Whoever asked for the merge asks again once what kept it is mended. */
function withdrawn({ id, forge }: Thread): readonly HallEvent[] {
  return forge.mergeAsked === null ? [] : [{ type: 'MergeAsked', thread: id, by: null }];
}

/** A person decides that it is not wanted. Work that is still open in its thread has to end first. */
export function closePullRequest(board: Board, id: ThreadId): Decision<ThreadId> {
  const open = openPullRequest(board, id);
  if (isRefusal(open)) return no(open);
  const [first] = open.thread.tasks;
  if (first !== undefined) {
    return no(
      refuse('thread_busy', `${nameOf('task', first)} is open in ${spell(id)}; cancel it first`),
    );
  }
  return decide(id, [{ type: 'PullRequestClosed', thread: id }]);
}

/** The host found that it cannot be merged as it is. */
export function conflict(
  board: Board,
  { thread: id, commit, files }: { thread: ThreadId; commit: string; files: readonly string[] },
  now: Now,
): Decision<ThreadId> {
  const open = openPullRequest(board, id);
  if (isRefusal(open)) return no(open);
  if (open.thread.forge.head !== commit || open.thread.tasks.length > 0) return decide(id, []);
  const said: HallEvent = { type: 'MergeConflicted', thread: id, commit, files };
  const body = `It conflicts with its base in ${files.join(', ')}.`;
  const post = posting(board, open.thread, { ...now, seq: board.seq + 2 });
  return decide(id, [said, post('rebase', body)]);
}

export interface When extends Now {
  /** The number that the first event which follows will have. */
  readonly seq: number;
}

/**
 * What is to be done next about a pull request, now that something became known of it: mend the
 * checks, review, address the review, or nothing but wait for a merge. Asked with the thread as it is
 * after what became known.
 */
export function followUp(board: Board, thread: Thread, when: When): readonly HallEvent[] {
  const { forge, tasks } = thread;
  const project = board.projects.get(thread.project);
  if (!project || forge.pr?.state !== 'open' || !isLocal(project) || tasks.length > 0) return [];
  const post = posting(board, thread, when);
  const { settings } = project;
  const { checks, verdict, head } = forge;
  if (checks?.is === 'red' && checks.commit === head) {
    if (forge.ciRetries > settings.maxRetries) {
      return [leftToPerson(thread, redAgain(forge), when.at)];
    }
    return [post('fix-ci', `These checks fail: ${checks.failing.join(', ')}.`)];
  }
  if (settings.checks.length > 0 && checks?.commit !== head) return [];
  if (verdict?.commit !== head) return isReviewed(board, project) ? [post('review', '')] : [];
  if (verdict?.is !== 'changes_requested') return [];
  if (forge.rounds < settings.maxRounds) return [post('address-review', '')];
  if (settings.mergePolicy === 'force-at-max-rounds') return [];
  const rounds = forge.rounds === 1 ? '1 round' : `${forge.rounds} rounds`;
  return [leftToPerson(thread, `${rounds} of review did not end in an approval`, when.at)];
}

function redAgain({ checks, ciRetries }: ThreadOnForge): string {
  return `its checks failed ${ciRetries} times in a row, at last ${checks?.failing.join(', ')}`;
}

/** Posts follow-up tasks of a thread, in its place and under its name. */
function posting(board: Board, thread: Thread, { at, seq }: When) {
  return (skill: string, body: string): HallEvent => {
    const type = defaultType(skill);
    const own = skill === 'review' ? null : thread.agent;
    const task: PostedTask = {
      id: seq as TaskId,
      thread: thread.id,
      project: thread.project,
      skill,
      type,
      instance: null,
      agent: slugOf(board, type, own),
      actor: 'hall',
      reopens: null,
      state: { is: 'available', since: at },
      title: `${skill} ${spell(thread.id)}`,
      body,
    };
    return { type: 'TaskPosted', task, opens: null };
  };
}

function openPullRequest(board: Board, id: ThreadId): Open | Refusal {
  const thread = board.threads.get(id);
  const project = thread && board.projects.get(thread.project);
  if (thread?.forge.pr?.state === 'open' && project) return { thread, project };
  return refuse('nothing_to_land', `${spell(id)} has no open pull request`);
}

function spell(id: ThreadId): string {
  return nameOf('thread', id);
}
