import type { Board } from '../board.ts';
import type { ClosedWork } from '../closed-work.ts';
import { type Decision, decide, type Now } from '../decision.ts';
import { issueKey } from '../forge/issue-record.ts';
import { type LookResult, recordOf } from '../forge/look-result.ts';
import { postFromForge } from '../forge/post-from-forge.ts';
import { actorOf, mayLabel, mayTrigger } from '../forge/rights.ts';
import type { Account, IssueSnapshot, SetLabel } from '../forge/snapshot.ts';
import { targetOf, targetRefusal } from '../forge/target-repository.ts';
import type { ThreadId } from '../ids.ts';
import { isRefusal } from '../refusal.ts';
import { type ConfiguredSource, readsIssues, sourcesOf, whyNotRead } from './configured.ts';
import { type ItemRecord, itemKey, type SourceItem } from './item.ts';
import { recordFor, seenEvents } from './post-items.ts';
import { updateItem } from './update-item.ts';
import { removeItem } from './withdraw-item.ts';

/** The people whose rights decide whether a source may post the issue. */
export function actorsOfIssue(board: Board, result: LookResult): readonly Account[] {
  const { issue } = result.snapshot;
  const source = issue && sourceOf(board, result, issue);
  if (!source) return [];
  return [issue.author, ...labelsOf(source, issue).flatMap(({ by }) => by ?? [])];
}

/** A source names no agent, so write access decides and not the teams of one. */
const ANY_TEAM: readonly string[] = [];

interface Looked {
  readonly result: LookResult;
  /** Of the title and the text of the issue. */
  readonly hash: string;
}

/**
 * An issue that a source of its project asks for becomes a task, once and whatever else asked for it. One that
 * is closed or no longer matches is withdrawn.
 */
export function takeSourceIssue(
  board: Board,
  closed: ClosedWork,
  { result, hash }: Looked,
  now: Now,
): Decision<ThreadId | null> {
  const { issue } = result.snapshot;
  if (!issue) return decide(null, []);
  const item = itemOf(result, issue, hash);
  const before = board.items.get(itemKey(result.project.name, item.id));
  const source = sourceOf(board, result, issue);
  if (!source) return leave(board, closed, { before, issue }, now);
  const refusal = refusalOf(result, source, issue) ?? targetRefusalOf(board, result, source);
  if (refusal !== null) {
    if (before && before.thread !== null) return decide(before.thread, []);
    return decide(null, seenEvents(board, { ...recordFor(source, item), notPosted: refusal }));
  }
  const authorisedBy = labelsOf(source, issue)
    .map(({ event }) => event)
    .join(' ');
  const by = { ...now, actor: actorOf(result.repo, askerOf(source, issue)) };
  if (!before || before.thread === null) {
    return postIssue(board, closed, { result, source, item, authorisedBy }, by);
  }
  const isUsable =
    mayTrigger(result.rights, issue.author, ANY_TEAM) || before.authorisedBy !== authorisedBy;
  const shown = isUsable ? item : { ...item, title: before.title, hash: before.hash };
  return updateItem(board, closed, { source, item: shown }, by);
}

function itemOf(
  { repo, number }: LookResult,
  { title, body }: IssueSnapshot,
  hash: string,
): SourceItem {
  const id = issueKey(repo, number);
  return { id, file: null, line: 0, title, body, size: null, dependsOn: [], isDone: false, hash };
}

/** The first source of the project that asks for the issue. */
function sourceOf(
  board: Board,
  { project }: LookResult,
  issue: IssueSnapshot,
): ConfiguredSource | undefined {
  if (!issue.isOpen) return undefined;
  return sourcesOf(project).find(
    (source) =>
      readsIssues(source) &&
      whyNotRead(board, source) === null &&
      labelsOf(source, issue).length === source.labels.length,
  );
}

/** The labels of the filter that the issue has. */
function labelsOf({ labels }: ConfiguredSource, issue: IssueSnapshot): readonly SetLabel[] {
  return labels.flatMap(
    (wanted) => issue.labels.find(({ name }) => name.toLowerCase() === wanted.toLowerCase()) ?? [],
  );
}

/** Whoever set the last label of the filter, or the author where it names none. */
function askerOf(source: ConfiguredSource, issue: IssueSnapshot): Account {
  const last = labelsOf(source, issue)
    .toSorted((a, b) => a.at - b.at)
    .at(-1);
  return last?.by ?? issue.author;
}

function askerIn(source: ConfiguredSource, { snapshot: { issue } }: LookResult): Account | null {
  return issue && askerOf(source, issue);
}

/** The issue may ask for work in another repository, where the right is needed too. */
function targetRefusalOf(
  board: Board,
  result: LookResult,
  source: ConfiguredSource,
): string | null {
  const target = targetOf(board, result);
  const task = { by: askerIn(source, result), agent: null };
  return target && targetRefusal(board, result, { target, task });
}

/** For people: why nobody with the right asked for the issue; null if somebody did. */
function refusalOf(
  { rights }: LookResult,
  source: ConfiguredSource,
  issue: IssueSnapshot,
): string | null {
  if (source.labels.length === 0) {
    return mayTrigger(rights, issue.author, ANY_TEAM) ? null : `its author ${lacks(issue.author)}`;
  }
  const { author } = issue;
  const wrong = labelsOf(source, issue).find(
    ({ by }) => !mayLabel(rights, { by, author }, ANY_TEAM),
  );
  if (!wrong) return null;
  if (!wrong.by) return `the forge does not say who set the label ${wrong.name}`;
  return `the label ${wrong.name} was set by ${wrong.by.login}, who ${lacks(null)}`;
}

function lacks(account: Account | null): string {
  const who = account === null ? '' : `${account.login} `;
  return `${who}has no write access to the repository`;
}

interface Leaving {
  readonly before: ItemRecord | undefined;
  readonly issue: IssueSnapshot;
}

function leave(
  board: Board,
  closed: ClosedWork,
  { before, issue }: Leaving,
  now: Now,
): Decision<ThreadId | null> {
  if (!before || before.gone) return decide(null, []);
  const because = issue.isOpen ? 'its issue left the filter of its source' : 'its issue was closed';
  return removeItem(board, closed, { record: before, because }, now);
}

interface NewIssue {
  readonly result: LookResult;
  readonly source: ConfiguredSource;
  readonly item: SourceItem;
  readonly authorisedBy: string;
}

function postIssue(
  board: Board,
  closed: ClosedWork,
  { result, source, item, authorisedBy }: NewIssue,
  now: Now,
): Decision<ThreadId | null> {
  const record = { ...recordFor(source, item), hash: item.hash, authorisedBy };
  const { thread: id } = recordOf(board, result);
  const known = id === null ? undefined : (board.threads.get(id) ?? closed.thread(id));
  if (known && known.state !== 'cancelled') {
    const { state } = known;
    const ended = state === 'open' ? {} : { ended: state, settled: true as const };
    return decide(known.id, seenEvents(board, { ...record, thread: known.id, ...ended }));
  }
  const by = askerIn(source, result);
  const task = { skill: 'implement', agent: null, body: '', by, seen: {} };
  const { events, answer } = postFromForge(board, closed, result, task, now);
  if (isRefusal(answer) || answer === null) {
    const notPosted = isRefusal(answer) ? answer.because : 'it was asked for too often in an hour';
    const refused = { ...recordFor(source, item), notPosted };
    return decide(null, [...events, ...seenEvents(board, refused)]);
  }
  return decide(answer, [...events, ...seenEvents(board, { ...record, thread: answer })]);
}
