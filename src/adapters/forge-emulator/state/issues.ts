import { EmulatorRefused } from './emulator-refused.ts';
import type { EditedFrom } from './event.ts';
import type { Account, Caller, Issue, Label, Repository } from './model.ts';
import { actorOf, includes, NEEDS, requireAuthorOr, requireRight, roleOf } from './rights.ts';
import { recordInTimeline } from './timeline.ts';
import type { World } from './world.ts';

interface NewIssue {
  readonly title: string;
  readonly body: string;
  readonly labels: readonly Label[];
  readonly assignees: readonly Account[];
}

/** What somebody without the right adds to a new issue is dropped without a word. */
export function openIssue(
  world: World,
  { caller, repository }: { readonly caller: Caller; readonly repository: Repository },
  plan: NewIssue,
): Issue {
  requireRight(world, { caller, repository }, NEEDS.openIssue);
  const issue = addIssue(world, repository, { author: actorOf(caller), ...plan, pull: null });
  const mayTriage = isAllowed(() => requireRight(world, { caller, repository }, NEEDS.triage));
  const sender = issue.author;
  world.emit({ is: 'issue_changed', repository, sender, issue, action: 'opened' });
  if (!mayTriage) return issue;
  labelIssue(world, { caller, issue }, { add: plan.labels });
  assign(world, { caller, issue }, { add: plan.assignees });
  return issue;
}

/** Issues and pull requests of a repository share one sequence of numbers. */
export function addIssue(
  world: World,
  repository: Repository,
  facts: Pick<Issue, 'author' | 'title' | 'body' | 'pull'>,
): Issue {
  if (facts.title.trim() === '') throw new EmulatorRefused('invalid', 'title');
  repository.lastNumber += 1;
  const at = world.now();
  const issue: Issue = {
    ...{ author: facts.author, title: facts.title, body: facts.body, pull: facts.pull },
    ...{ id: world.nextId('issue'), number: repository.lastNumber, repository },
    ...{ isOpen: true, closedAs: null, closedAt: null, closedBy: null, edits: 0 },
    ...{ labels: [], assignees: [], subIssues: [], dependsOn: [], timeline: [] },
    ...{ createdAt: at, updatedAt: at },
  };
  repository.issues.set(issue.number, issue);
  return issue;
}

/** Throws `gone` for an issue that was deleted and `not_found` for one that never was. */
export function issueNumbered(repository: Repository, number: number): Issue {
  const issue = repository.issues.get(number);
  if (issue) return issue;
  throw new EmulatorRefused(
    repository.deletedIssues.has(number) ? 'gone' : 'not_found',
    `#${number}`,
  );
}

interface By {
  readonly caller: Caller;
  readonly issue: Issue;
}

export function editText(
  world: World,
  { caller, issue }: By,
  text: { readonly title?: string | undefined; readonly body?: string | undefined },
): void {
  requireAuthorOr(world, caller, issue);
  const from: EditedFrom = {
    ...(text.title !== undefined && text.title !== issue.title ? { title: issue.title } : {}),
    ...(text.body !== undefined && text.body !== issue.body ? { body: issue.body } : {}),
  };
  if (Object.keys(from).length === 0) return;
  issue.title = text.title ?? issue.title;
  issue.body = text.body ?? issue.body;
  issue.edits += 1;
  issue.updatedAt = world.now();
  if (from.title !== undefined) {
    const entry = { is: 'renamed', from: from.title, to: issue.title } as const;
    recordInTimeline(world, issue, { caller, entry });
  }
  const { repository } = issue;
  world.emit({ is: 'edited', repository, sender: actorOf(caller), issue, from });
}

export function setOpen(
  world: World,
  { caller, issue }: By,
  { isOpen, closedAs = 'completed' }: { isOpen: boolean; closedAs?: Issue['closedAs'] },
): void {
  requireAuthorOr(world, caller, issue);
  if (issue.isOpen === isOpen) return;
  applyOpen(world, { caller, issue }, { isOpen, closedAs });
}

/** For what closes an issue by itself, whoever caused it. */
export function applyOpen(
  world: World,
  { caller, issue }: By,
  { isOpen, closedAs, commit }: { isOpen: boolean; closedAs: Issue['closedAs']; commit?: string },
): void {
  const sender = actorOf(caller);
  issue.isOpen = isOpen;
  issue.closedAs = isOpen ? null : closedAs;
  issue.closedAt = isOpen ? null : world.now();
  issue.closedBy = isOpen ? null : sender;
  recordInTimeline(world, issue, { caller, entry: { is: isOpen ? 'reopened' : 'closed' } });
  const action = isOpen ? 'reopened' : 'closed';
  const { repository } = issue;
  const by = commit === undefined ? {} : { commit };
  world.emit({ is: 'issue_changed', repository, sender, issue, action, ...by });
}

export function deleteIssue(world: World, { caller, issue }: By): void {
  const { repository, number } = issue;
  const isAdmin = caller.is === 'person' && roleOf(world, repository, caller.account) === 'admin';
  if (!isAdmin) throw new EmulatorRefused('forbidden', 'admin');
  repository.issues.delete(number);
  repository.deletedIssues.add(number);
  const sender = actorOf(caller);
  world.emit({ is: 'issue_changed', repository, sender, issue, action: 'deleted' });
}

interface LabelPlan {
  readonly add?: readonly Label[];
  readonly remove?: readonly Label[];
  /** The issue has exactly `add` afterwards. */
  readonly isReplacement?: boolean;
}

export function labelIssue(world: World, { caller, issue }: By, plan: LabelPlan): void {
  const { repository, labels: before } = issue;
  requireRight(world, { caller, repository }, NEEDS.triage);
  const { add = [], remove = [], isReplacement = false } = plan;
  const leaving = isReplacement ? before.filter((label) => !add.includes(label)) : remove;
  const removed = before.filter((label) => leaving.includes(label));
  const added = add.filter((label) => !before.includes(label));
  if (added.length === 0 && removed.length === 0) return;
  issue.labels = [...before.filter((label) => !removed.includes(label)), ...new Set(added)];
  for (const label of removed) {
    recordInTimeline(world, issue, { caller, entry: { is: 'unlabeled', label } });
  }
  for (const label of added) {
    recordInTimeline(world, issue, { caller, entry: { is: 'labeled', label } });
  }
  const labels = { added, removed, isReplacement };
  world.emit({ is: 'labels_changed', repository, sender: actorOf(caller), issue, labels });
}

interface AssignPlan {
  readonly add?: readonly Account[];
  readonly remove?: readonly Account[];
}

/** Who cannot be assigned (strangers, and the bots of Apps) is dropped without a word. */
export function assign(world: World, { caller, issue }: By, plan: AssignPlan): void {
  const { repository } = issue;
  requireRight(world, { caller, repository }, NEEDS.triage);
  const sender = actorOf(caller);
  for (const assignee of plan.remove ?? []) {
    if (!issue.assignees.includes(assignee)) continue;
    issue.assignees = issue.assignees.filter((each) => each !== assignee);
    recordInTimeline(world, issue, { caller, entry: { is: 'unassigned', assignee } });
    world.emit({ is: 'assignee_changed', repository, sender, issue, assignee, isAdded: false });
  }
  for (const assignee of plan.add ?? []) {
    if (issue.assignees.includes(assignee) || !isAssignable(world, repository, assignee)) continue;
    issue.assignees = [...issue.assignees, assignee];
    recordInTimeline(world, issue, { caller, entry: { is: 'assigned', assignee } });
    world.emit({ is: 'assignee_changed', repository, sender, issue, assignee, isAdded: true });
  }
}

function isAssignable(world: World, repository: Repository, account: Account): boolean {
  return account.kind === 'User' && includes(roleOf(world, repository, account), 'triage');
}

export function addSubIssue(world: World, { caller, issue: parent }: By, issue: Issue): void {
  requireRight(world, { caller, repository: parent.repository }, NEEDS.triage);
  if (parent.subIssues.includes(issue)) throw new EmulatorRefused('already_exists', 'sub_issue');
  parent.subIssues.push(issue);
  parent.updatedAt = world.now();
  const { repository } = parent;
  world.emit({ is: 'sub_issue_added', repository, sender: actorOf(caller), issue, parent });
}

export function addDependency(world: World, { caller, issue }: By, other: Issue): void {
  requireRight(world, { caller, repository: issue.repository }, NEEDS.triage);
  if (issue.dependsOn.includes(other)) throw new EmulatorRefused('already_exists', 'dependency');
  issue.dependsOn.push(other);
  issue.updatedAt = world.now();
}

function isAllowed(check: () => void): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof EmulatorRefused) return false;
    throw error;
  }
}
