import { z } from 'zod';
import { type Call, created, NOTHING, ok, type Route } from '../http/answer.ts';
import { accountsIn, bodyOf, isSince, issueIn, repositoryIn } from '../http/call-parts.ts';
import {
  addComment,
  commentNumbered,
  commentsOf,
  deleteComment,
  editComment,
} from '../state/comments.ts';
import { EmulatorRefused } from '../state/emulator-refused.ts';
import { addSubIssue, assign, editText, labelIssue, openIssue, setOpen } from '../state/issues.ts';
import { labelsNamed, labelsOrNew } from '../state/labels.ts';
import type { Issue } from '../state/model.ts';
import { NEEDS } from '../state/rights.ts';
import { LabelNames, listed } from './lists.ts';
import { showComment, showIssue, showLabel } from './show-issues.ts';
import { showEvents, showTimeline } from './show-timeline.ts';

const NewIssue = z.object({
  title: z.union([z.string(), z.number()]).transform(String),
  body: z.string().nullish(),
  labels: LabelNames.optional(),
  assignees: z.array(z.string()).optional(),
});

const EditedIssue = z.object({
  title: z.union([z.string(), z.number()]).nullish(),
  body: z.string().nullish(),
  state: z.enum(['open', 'closed']).optional(),
  state_reason: z.enum(['completed', 'not_planned', 'duplicate', 'reopened']).nullish(),
  labels: LabelNames.optional(),
  assignees: z.array(z.string()).optional(),
});

const ISSUES = '/repos/{owner}/{repo}/issues';
const ISSUE = `${ISSUES}/{issue_number}`;
const Text = z.object({ body: z.string() });

export const ISSUE_ROUTES: readonly Route[] = [
  { method: 'GET', path: ISSUES, answer: (call) => listIssues(call) },
  {
    method: 'POST',
    path: ISSUES,
    answer(call) {
      const { world, caller, urls } = call;
      const repository = repositoryIn(call, NEEDS.openIssue);
      const { title, body, labels = [], assignees = [] } = bodyOf(call, NewIssue);
      const known = labels.flatMap((name) => labelsNamed(repository, name));
      const plan = {
        title,
        body: body ?? '',
        labels: known,
        assignees: accountsIn(call, assignees),
      };
      return created(showIssue(world, openIssue(world, { caller, repository }, plan), urls));
    },
  },
  { method: 'GET', path: ISSUE, answer: (call) => shown(call, issueIn(call, NEEDS.readIssues)) },
  { method: 'PATCH', path: ISSUE, answer: (call) => editIssue(call) },
  {
    method: 'GET',
    path: `${ISSUE}/timeline`,
    answer: (call) =>
      listed(call, showTimeline(call.world, issueIn(call, NEEDS.readIssues), call.urls), (e) => e),
  },
  {
    method: 'GET',
    path: `${ISSUE}/events`,
    answer: (call) =>
      listed(call, showEvents(issueIn(call, NEEDS.readIssues), call.urls), (each) => each),
  },
  ...commentRoutes(),
  ...labelRoutes(),
  ...assigneeRoutes(),
  ...subIssueRoutes(),
];

function shown({ world, urls }: Call, issue: Issue) {
  return ok(showIssue(world, issue, urls));
}

/** By default the open ones, newest first. Pull requests are among them. */
function listIssues(call: Call) {
  const { query, world, urls } = call;
  const repository = repositoryIn(call, NEEDS.readIssues);
  const state = query.get('state') ?? 'open';
  const labels = (query.get('labels') ?? '').split(',').filter((name) => name !== '');
  const isNewEnough = isSince(call);
  const assignee = query.get('assignee');
  const found = [...repository.issues.values()]
    .filter((issue) => state === 'all' || issue.isOpen === (state === 'open'))
    .filter((issue) => labels.every((name) => issue.labels.some((label) => isCalled(label, name))))
    .filter((issue) => assignee === null || issue.assignees.some(({ login }) => login === assignee))
    .filter((issue) => isNewEnough(issue.updatedAt));
  return listed(call, sorted(query, found), (issue) => showIssue(world, issue, urls));
}

function isCalled(label: { readonly name: string }, name: string): boolean {
  return label.name.toLowerCase() === name.toLowerCase();
}

function sorted(query: URLSearchParams, issues: readonly Issue[]): Issue[] {
  const by = query.get('sort') === 'updated' ? 'updatedAt' : 'createdAt';
  const isAscending = query.get('direction') === 'asc';
  const ascending = issues.toSorted((a, b) => a[by] - b[by] || a.number - b.number);
  return isAscending ? ascending : ascending.reverse();
}

function editIssue(call: Call) {
  const { world, caller } = call;
  const issue = issueIn(call, NEEDS.comment);
  const edited = bodyOf(call, EditedIssue);
  const title = edited.title === null || edited.title === undefined ? undefined : `${edited.title}`;
  editText(world, { caller, issue }, { title, body: edited.body ?? undefined });
  if (edited.labels) {
    const { repository } = issue;
    const add = labelsOrNew(world, { caller, repository }, edited.labels);
    labelIssue(world, { caller, issue }, { add, isReplacement: true });
  }
  if (edited.assignees) {
    const add = accountsIn(call, edited.assignees);
    const remove = issue.assignees.filter((account) => !add.includes(account));
    assign(world, { caller, issue }, { add, remove });
  }
  if (edited.state) {
    const closedAs = edited.state_reason === 'not_planned' ? 'not_planned' : 'completed';
    setOpen(world, { caller, issue }, { isOpen: edited.state === 'open', closedAs });
  }
  return shown(call, issue);
}

function commentRoutes(): Route[] {
  const one = `${ISSUES}/comments/{comment_id}`;
  const commentIn = (call: Call, need: typeof NEEDS.comment | typeof NEEDS.readIssues) =>
    commentNumbered(repositoryIn(call, need), Number(call.params['comment_id']));
  return [
    {
      method: 'GET',
      path: `${ISSUES}/comments`,
      answer: (call) => listComments(call, repositoryIn(call, NEEDS.readIssues).comments),
    },
    {
      method: 'GET',
      path: `${ISSUE}/comments`,
      answer: (call) => listComments(call, commentsOf(issueIn(call, NEEDS.readIssues))),
    },
    {
      method: 'POST',
      path: `${ISSUE}/comments`,
      answer(call) {
        const { world, caller, urls } = call;
        const issue = issueIn(call, NEEDS.comment);
        const comment = addComment(world, { caller, issue }, bodyOf(call, Text).body);
        return created(showComment(world, comment, urls));
      },
    },
    {
      method: 'GET',
      path: one,
      answer: (call) => ok(showComment(call.world, commentIn(call, NEEDS.readIssues), call.urls)),
    },
    {
      method: 'PATCH',
      path: one,
      answer(call) {
        const { world, caller, urls } = call;
        const comment = commentIn(call, NEEDS.comment);
        editComment(world, { caller, comment }, bodyOf(call, Text).body);
        return ok(showComment(world, comment, urls));
      },
    },
    {
      method: 'DELETE',
      path: one,
      answer(call) {
        const { world, caller } = call;
        deleteComment(world, { caller, comment: commentIn(call, NEEDS.comment) });
        return NOTHING;
      },
    },
  ];
}

function listComments(call: Call, comments: readonly Issue['repository']['comments'][number][]) {
  const isNewEnough = isSince(call);
  const found = comments.filter(({ updatedAt }) => isNewEnough(updatedAt));
  const isDescending = call.query.get('direction') === 'desc';
  const by = call.query.get('sort') === 'updated' ? 'updatedAt' : 'createdAt';
  const ascending = found.toSorted((a, b) => a[by] - b[by] || a.id - b.id);
  return listed(call, isDescending ? ascending.reverse() : ascending, (comment) =>
    showComment(call.world, comment, call.urls),
  );
}

function labelRoutes(): Route[] {
  const path = `${ISSUE}/labels`;
  const showAll = (call: Call, { labels, repository }: Issue) =>
    labels.map((label) => showLabel(label, repository, call.urls));
  const change = (isReplacement: boolean) => (call: Call) => {
    const { world, caller } = call;
    const issue = issueIn(call, NEEDS.triage);
    const { repository } = issue;
    const names = bodyOf(call, z.union([z.object({ labels: LabelNames }), LabelNames]));
    const wanted = Array.isArray(names) ? names : names.labels;
    const add = labelsOrNew(world, { caller, repository }, wanted);
    labelIssue(world, { caller, issue }, { add, isReplacement });
    return ok(showAll(call, issue));
  };
  return [
    {
      method: 'GET',
      path,
      answer: (call) => listed(call, showAll(call, issueIn(call, NEEDS.readIssues)), (l) => l),
    },
    { method: 'POST', path, answer: change(false) },
    { method: 'PUT', path, answer: change(true) },
    {
      method: 'DELETE',
      path: `${path}/{name}`,
      answer(call) {
        const { world, caller, params } = call;
        const issue = issueIn(call, NEEDS.triage);
        const remove = issue.labels.filter((label) => isCalled(label, params['name'] ?? ''));
        if (remove.length === 0) throw new EmulatorRefused('not_found', 'Label does not exist');
        labelIssue(world, { caller, issue }, { remove });
        return ok(showAll(call, issue));
      },
    },
  ];
}

function assigneeRoutes(): Route[] {
  const path = `${ISSUE}/assignees`;
  const Assignees = z.object({ assignees: z.array(z.string()).optional() });
  const change = (key: 'add' | 'remove') => (call: Call) => {
    const issue = issueIn(call, NEEDS.triage);
    const accounts = accountsIn(call, bodyOf(call, Assignees).assignees ?? []);
    assign(call.world, { caller: call.caller, issue }, { [key]: accounts });
    const body = showIssue(call.world, issue, call.urls);
    return key === 'add' ? created(body) : ok(body);
  };
  return [
    { method: 'POST', path, answer: change('add') },
    { method: 'DELETE', path, answer: change('remove') },
  ];
}

function subIssueRoutes(): Route[] {
  const path = `${ISSUE}/sub_issues`;
  return [
    {
      method: 'GET',
      path,
      answer: (call) =>
        listed(call, issueIn(call, NEEDS.readIssues).subIssues, (issue) =>
          showIssue(call.world, issue, call.urls),
        ),
    },
    {
      method: 'POST',
      path,
      answer(call) {
        const { world, caller, urls } = call;
        const issue = issueIn(call, NEEDS.triage);
        const { sub_issue_id: id } = bodyOf(call, z.object({ sub_issue_id: z.int() }));
        const child = world.repositories
          .flatMap(({ issues }) => [...issues.values()])
          .find((each) => each.id === id);
        if (!child) throw new EmulatorRefused('not_found', `issue ${id}`);
        addSubIssue(world, { caller, issue }, child);
        return created(showIssue(world, child, urls));
      },
    },
  ];
}
