import { decide } from '../domain/decision.ts';
import type { HallEvent } from '../domain/event.ts';
import { cardNotices } from '../domain/forge/card-notices.ts';
import { forgeOf, repositoryOn } from '../domain/forge/connected-forges.ts';
import { escalationText } from '../domain/forge/escalation.ts';
import type { IssueRecord } from '../domain/forge/issue-record.ts';
import { pullRequestText } from '../domain/forge/pull-request-text.ts';
import { replyMarker } from '../domain/forge/reply.ts';
import { stateLabels } from '../domain/forge/shown-labels.ts';
import { type Stage, stageOf } from '../domain/forge/stage.ts';
import { CARD_MARKER, statusCard } from '../domain/forge/status-card.ts';
import type { ThreadId } from '../domain/ids.ts';
import { isCompleted } from '../domain/task.ts';
import { isOpen, knownPullRequest, type Thread, type Written } from '../domain/thread.ts';
import type { Forge, StatusPlan } from '../ports/forge.ts';
import type { Hall } from './hall.ts';
import { requestReviewsAgain, showReview } from './show-reviews.ts';

export interface UpdateNeeds {
  readonly hall: Hall;
  readonly forgeNamed: (name: string) => Forge | undefined;
  /** Removes secrets from everything that leaves. */
  readonly redact: (text: string) => string;
  readonly hash: (text: string) => string;
  /** Why the next task of a thread does not run; null when it runs or is about to. */
  readonly waitOf: (thread: Thread) => string | null;
  /** Where people reach the hall's pages; null when they cannot. */
  readonly publicUrl: string | null;
}

interface Shown {
  readonly thread: Thread;
  readonly forge: Forge;
  /** `github:acme/shop`, and `acme/shop` on the forge. */
  readonly repo: string;
  readonly path: string;
  readonly stage: Stage;
}

/**
 * Brings what a forge shows of an open thread in line with the board: its pull request, card, labels and
 * status. Nothing is remembered but what was written last, so a crash in between only repeats a step.
 */
export async function updateForgeThread(needs: UpdateNeeds, id: ThreadId): Promise<void> {
  const thread = needs.hall.board.threads.get(id);
  const shown = thread && shownOf(needs, thread);
  if (!shown) return;
  await openPullRequest(needs, shown);
  await writeThread(needs, shownOf(needs, needs.hall.board.threads.get(id) ?? thread) ?? shown);
}

/** Shows the end of a thread, and cleans up after it. */
export async function settleIssue(needs: UpdateNeeds, record: IssueRecord): Promise<void> {
  const { hall } = needs;
  if (record.thread === null || hall.board.threads.has(record.thread)) return;
  const [found] = await hall.store.threadsById([record.thread]);
  const shown = found && shownOf(needs, found.thread);
  if (shown) {
    await writeThread(needs, shown);
    const { branch, pr } = shown.thread.forge;
    if (branch !== null && pr?.state === 'merged')
      await shown.forge.deleteBranch(shown.path, branch);
  }
  // Read when it is decided: a comment may have been taken in meanwhile.
  await hall.leading()?.writer.change({
    meta: { actor: 'hall', cause: 'forge' },
    decide: (board) => {
      const issue = settled(board.issues.get(record.key) ?? record);
      return decide(true, [{ type: 'IssueSeen', issue }]);
    },
  });
}

function settled({ unsettled: _, ...record }: IssueRecord): IssueRecord {
  return record;
}

function shownOf({ hall, forgeNamed, waitOf }: UpdateNeeds, thread: Thread): Shown | undefined {
  const project = hall.board.projects.get(thread.project);
  const connected = project && forgeOf(hall.board, project);
  const repository = project && repositoryOn(project.settings.repo);
  const forge = connected && forgeNamed(connected.name);
  if (!forge || !repository) return undefined;
  const wait = isOpen(thread) ? waitOf(thread) : null;
  const stage = stageOf(hall.board, thread, wait);
  return { thread, forge, repo: project.settings.repo ?? '', path: repository.path, stage };
}

async function openPullRequest(
  needs: UpdateNeeds,
  { thread, forge, repo, path }: Shown,
): Promise<void> {
  const { hall } = needs;
  const { pr, branch } = thread.forge;
  if (pr?.state !== 'opening' || branch === null) return;
  const [record] = await hall.store.threadsById([thread.id]);
  const summary = await summaryOf(hall, thread.id);
  const { title, body } = pullRequestText(thread, { title: record?.title ?? '', summary, repo });
  const base = hall.board.projects.get(thread.project)?.settings.base ?? null;
  const text = { title: needs.redact(title), body: needs.redact(body) };
  const opened = await forge.ensurePullRequest({ repo: path, branch, base, ...text });
  await changeAs(hall, { type: 'PullRequestOpened', thread: thread.id, pr: opened });
}

/** What the run that pushed the branch said about it. */
async function summaryOf({ store }: Hall, id: ThreadId): Promise<string> {
  const tasks = await store.tasksOfThread(id);
  const summaries = tasks.flatMap(({ task: { state } }) =>
    isCompleted(state) ? [state.summary] : [],
  );
  return summaries.at(-1) ?? '';
}

async function writeThread(needs: UpdateNeeds, shown: Shown): Promise<void> {
  const { thread } = shown;
  const pr = knownPullRequest(thread.forge.pr);
  const { issue } = thread.forge;
  const home = issue?.repo === undefined ? undefined : { repo: issue.repo, number: issue.number };
  if (home) await writeCard(needs, shown, { ...home, which: 'issueCard' });
  if (pr && (pr.number !== issue?.number || issue.isElsewhere)) {
    await writeCard(needs, shown, { repo: shown.repo, number: pr.number, which: 'pullCard' });
  }
  if (home) await writeLabels(needs, shown, home);
  await writeStatus(needs, shown);
  await writeEscalation(needs, shown);
  await writeReviews(needs, shown);
}

async function writeReviews(needs: UpdateNeeds, shown: Shown): Promise<void> {
  const { thread } = shown;
  const settings = needs.hall.board.projects.get(thread.project)?.settings;
  if (!settings || !isOpen(thread)) return;
  const what = {
    ...(await showReview(needs, { ...shown, settings })),
    ...(await requestReviewsAgain({ ...shown, settings })),
  };
  if (Object.keys(what).length > 0) await written(needs.hall, thread, what);
}

/** Once for each handover by the hall, where people read: on the pull request, else on the issue. */
async function writeEscalation(
  { hall, redact }: UpdateNeeds,
  { thread, forge, path }: Shown,
): Promise<void> {
  const { handedOver, forge: on } = thread;
  if (!isOpen(thread) || handedOver?.by !== 'hall' || on.written?.escalation === handedOver.since)
    return;
  const pull = knownPullRequest(on.pr)?.number;
  const number = pull ?? on.issue?.number;
  if (number === undefined) return;
  const repo = pull === undefined ? (repositoryOn(on.issue?.repo ?? null)?.path ?? path) : path;
  const invokers = await payersOf(hall, thread.id);
  const marker = replyMarker({ key: `escalation-${thread.id}-${handedOver.since}` });
  const text = redact(`${marker}\n${escalationText({ thread, handedOver, invokers })}`);
  await forge.ensureComment({ repo, number, marker, text, id: null });
  await written(hall, thread, { escalation: handedOver.since });
}

async function payersOf({ store }: Hall, id: ThreadId): Promise<readonly string[]> {
  const tasks = await store.tasksOfThread(id);
  const runs = await Promise.all(tasks.map(({ task }) => store.runsOfTask(task.id)));
  return [...new Set(runs.flat().flatMap(({ invoker }) => invoker ?? []))];
}

interface CardPlace {
  readonly repo: string;
  readonly number: number;
  readonly which: 'issueCard' | 'pullCard';
}

async function writeCard(
  needs: UpdateNeeds,
  { thread, forge, stage }: Shown,
  place: CardPlace,
): Promise<void> {
  const before = thread.forge.written?.[place.which];
  const { publicUrl: hallUrl } = needs;
  const { actor = null } = thread.forge.issue ?? {};
  const notices = cardNotices(thread);
  const text = needs.redact(statusCard({ thread, stage, hallUrl, actor, notices }));
  const hash = needs.hash(text);
  if (before?.hash === hash) return;
  const { number } = place;
  const repo = repositoryOn(place.repo)?.path ?? '';
  const plan = { repo, number, marker: CARD_MARKER, text, id: before?.id ?? null };
  const { id } = await forge.ensureComment(plan);
  // A look found a copy while the known card was edited: the next update lists the comments.
  const now = needs.hall.board.threads.get(thread.id)?.forge.written?.[place.which];
  if (now === null && plan.id !== null) return;
  await written(needs.hall, thread, { [place.which]: { id, hash } });
}

async function writeLabels(
  { hall }: UpdateNeeds,
  { thread, forge }: Shown,
  home: { readonly repo: string; readonly number: number },
): Promise<void> {
  const repo = repositoryOn(home.repo)?.path ?? '';
  const { labels: before = [], addingLabels: adding = [] } = thread.forge.written ?? {};
  const labels = stateLabels(hall.board, thread);
  const add = labels.filter((label) => !before.includes(label));
  const remove = [...new Set([...before, ...adding])].filter((label) => !labels.includes(label));
  if (add.length === 0 && remove.length === 0) return;
  // An answer can be lost after the label was set, and the thread may not want it any more by then.
  const isNoted = add.every((label) => adding.includes(label));
  if (!isNoted) await written(hall, thread, { addingLabels: [...new Set([...adding, ...add])] });
  await forge.setLabels({ repo, number: home.number, add, remove });
  await written(hall, thread, { labels, addingLabels: [] });
}

/** Says whether the dispatch worked, not what the agent concluded. */
async function writeStatus(
  needs: UpdateNeeds,
  { thread, forge, path, stage }: Shown,
): Promise<void> {
  const { head: commit, pr, written: before } = thread.forge;
  if (commit === null || pr?.state !== 'open') return;
  const is: StatusPlan['is'] = thread.tasks.length > 0 ? 'pending' : resultOf(stage);
  const name = `[Hall] ${thread.agent ?? 'agent'}`;
  const hash = needs.hash(`${is} ${stage.is}`);
  if (before?.status?.commit === commit && before.status.hash === hash) return;
  const id = before?.status?.commit === commit ? (before.status.id ?? null) : null;
  const plan = { repo: path, commit, name, is, summary: stage.is, url: needs.publicUrl, id };
  const { id: now } = await forge.setStatus(plan);
  const status = { commit, hash, ...(now !== null && { id: now }) };
  await written(needs.hall, thread, { status });
}

function resultOf({ is }: Stage): 'success' | 'failure' {
  return is === 'escalated' ? 'failure' : 'success';
}

/** A closed thread keeps no record of what was written last: its card is final. */
async function written(hall: Hall, { id }: Thread, what: Written): Promise<void> {
  if (hall.board.threads.has(id))
    await changeAs(hall, { type: 'ForgeWritten', thread: id, written: what });
}

async function changeAs(hall: Hall, event: HallEvent): Promise<void> {
  const meta = { actor: 'hall', cause: 'forge' };
  await hall.leading()?.writer.change({ meta, decide: () => decide(true, [event]) });
}
