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
import {
  addDependency,
  assign,
  editText,
  issueNumbered,
  labelIssue,
  openIssue,
  setOpen,
} from '../state/issues.ts';
import type { Comment, Issue, Label, Repository } from '../state/model.ts';
import { NEEDS } from '../state/rights.ts';
import { repositoryCalled } from '../state/world.ts';
import { listed, whole } from './lists.ts';
import { showComment, showIssue, showLabels, showTimelineEntry } from './show-issues.ts';

const ISSUES = '/repos/{owner}/{repo}/issues';
const ISSUE = `${ISSUES}/{index}`;
const Text = z.object({ body: z.string() });

const NewIssue = z.object({
  title: z.string(),
  body: z.string().optional(),
  labels: z.array(z.int()).optional(),
  assignees: z.array(z.string()).nullish(),
});

const EditedIssue = z.object({
  title: z.string().optional(),
  body: z.string().nullish(),
  state: z.enum(['open', 'closed']).optional(),
  assignees: z.array(z.string()).nullish(),
});

export const ISSUE_ROUTES: readonly Route[] = [
  { method: 'GET', path: ISSUES, answer: (call) => listIssues(call) },
  {
    method: 'POST',
    path: ISSUES,
    answer(call) {
      const { world, caller, urls } = call;
      const repository = repositoryIn(call, NEEDS.openIssue);
      const { title, body = '', labels = [], assignees } = bodyOf(call, NewIssue);
      const known = repository.labels.filter(({ id }) => labels.includes(id));
      const plan = { title, body, labels: known, assignees: accountsIn(call, assignees ?? []) };
      return created(showIssue(openIssue(world, { caller, repository }, plan), urls));
    },
  },
  {
    method: 'GET',
    path: ISSUE,
    answer: (call) => ok(showIssue(issueIn(call, NEEDS.readIssues), call.urls)),
  },
  { method: 'PATCH', path: ISSUE, answer: (call) => editIssue(call) },
  {
    method: 'GET',
    path: `${ISSUE}/timeline`,
    answer(call) {
      const issue = issueIn(call, NEEDS.readIssues);
      const isNewEnough = isSince(call);
      const found = issue.timeline.filter(({ at }) => isNewEnough(at));
      if (found.length === 0) return ok(null);
      return listed(call, found, (entry) => showTimelineEntry(issue, entry, call.urls));
    },
  },
  ...commentRoutes(),
  ...labelRoutes(),
  ...dependencyRoutes(),
];

/** Newest first. The labels asked for must all be there, each label of that name where there are several. */
function listIssues(call: Call) {
  const { query, urls } = call;
  const repository = repositoryIn(call, NEEDS.readIssues);
  const state = query.get('state') ?? 'open';
  const type = query.get('type');
  const names = (query.get('labels') ?? '').split(',');
  const wanted = repository.labels.filter(({ name }) => names.includes(name));
  const isNewEnough = isSince(call);
  const assignee = query.get('assigned_by');
  const found = [...repository.issues.values()]
    .filter((issue) => state === 'all' || issue.isOpen === (state === 'open'))
    .filter(({ pull }) => type === null || (type === 'pulls') === (pull !== null))
    .filter(({ labels }) => wanted.every((label) => labels.includes(label)))
    .filter((issue) => assignee === null || issue.assignees.some(({ login }) => login === assignee))
    .filter(({ updatedAt }) => isNewEnough(updatedAt))
    .sort((a, b) => b.createdAt - a.createdAt || b.number - a.number);
  return listed(call, found, (issue) => showIssue(issue, urls));
}

function editIssue(call: Call) {
  const { world, caller, urls } = call;
  const issue = issueIn(call, NEEDS.comment);
  const { title, body, state, assignees } = bodyOf(call, EditedIssue);
  editText(world, { caller, issue }, { title, body: body ?? undefined });
  if (assignees) {
    const add = accountsIn(call, assignees);
    const remove = issue.assignees.filter((account) => !add.includes(account));
    assign(world, { caller, issue }, { add, remove });
  }
  if (state) setOpen(world, { caller, issue }, { isOpen: state === 'open' });
  return created(showIssue(issue, urls));
}

function since(call: Call, comments: readonly Comment[]): Comment[] {
  const isNewEnough = isSince(call);
  return comments.filter(({ updatedAt }) => isNewEnough(updatedAt));
}

function commentRoutes(): Route[] {
  const show =
    ({ urls }: Call) =>
    (comment: Comment) =>
      showComment(comment, urls);
  return [
    {
      method: 'GET',
      path: `${ISSUES}/comments`,
      answer(call) {
        const { comments } = repositoryIn(call, NEEDS.readIssues);
        return listed(call, since(call, comments), show(call));
      },
    },
    {
      method: 'GET',
      path: `${ISSUE}/comments`,
      answer(call) {
        const comments = commentsOf(issueIn(call, NEEDS.readIssues));
        return whole(since(call, comments), show(call));
      },
    },
    {
      method: 'POST',
      path: `${ISSUE}/comments`,
      answer(call) {
        const { world, caller, urls } = call;
        const issue = issueIn(call, NEEDS.comment);
        const comment = addComment(world, { caller, issue }, bodyOf(call, Text).body);
        return created(showComment(comment, urls));
      },
    },
    ...oneCommentRoutes(),
  ];
}

function oneCommentRoutes(): Route[] {
  const path = `${ISSUES}/comments/{id}`;
  const commentIn = (call: Call, need: typeof NEEDS.comment | typeof NEEDS.readIssues) =>
    commentNumbered(repositoryIn(call, need), Number(call.params['id']));
  return [
    {
      method: 'GET',
      path,
      answer: (call) => ok(showComment(commentIn(call, NEEDS.readIssues), call.urls)),
    },
    {
      method: 'PATCH',
      path,
      answer(call) {
        const { world, caller, urls } = call;
        const comment = commentIn(call, NEEDS.comment);
        editComment(world, { caller, comment }, bodyOf(call, Text).body);
        return ok(showComment(comment, urls));
      },
    },
    {
      method: 'DELETE',
      path,
      answer(call) {
        const { world, caller } = call;
        deleteComment(world, { caller, comment: commentIn(call, NEEDS.comment) });
        return NOTHING;
      },
    },
  ];
}

const Labels = z.object({ labels: z.array(z.union([z.int(), z.string()])) });

/** Numbers are ids; a name stands for every label of that name. Unknown ones are left out. */
function labelsCalled({ labels }: Repository, wanted: readonly (number | string)[]): Label[] {
  return labels.filter(({ id, name }) => wanted.includes(id) || wanted.includes(name));
}

function labelRoutes(): Route[] {
  const path = `${ISSUE}/labels`;
  const change = (isReplacement: boolean) => (call: Call) => {
    const { world, caller, urls } = call;
    const issue = issueIn(call, NEEDS.triage);
    const add = labelsCalled(issue.repository, bodyOf(call, Labels).labels);
    labelIssue(world, { caller, issue }, { add, isReplacement });
    return ok(showLabels(issue, urls));
  };
  return [
    {
      method: 'GET',
      path,
      answer: (call) => ok(showLabels(issueIn(call, NEEDS.readIssues), call.urls)),
    },
    { method: 'POST', path, answer: change(false) },
    { method: 'PUT', path, answer: change(true) },
    {
      method: 'DELETE',
      path: `${path}/{id}`,
      answer(call) {
        const { world, caller, params } = call;
        const issue = issueIn(call, NEEDS.triage);
        const id = params['id'] ?? '';
        const wanted = /^\d+$/.test(id) ? Number(id) : id;
        const remove = labelsCalled(issue.repository, [wanted]);
        if (remove.length === 0) throw new EmulatorRefused('invalid', 'label');
        labelIssue(world, { caller, issue }, { remove });
        return NOTHING;
      },
    },
  ];
}

function dependencyRoutes(): Route[] {
  const path = `${ISSUE}/dependencies`;
  const Other = z.object({ owner: z.string(), repo: z.string(), index: z.int() });
  const show = (call: Call, issue: Issue) => showIssue(issue, call.urls);
  return [
    {
      method: 'GET',
      path,
      answer: (call) =>
        listed(call, issueIn(call, NEEDS.readIssues).dependsOn, (issue) => show(call, issue)),
    },
    {
      method: 'POST',
      path,
      answer(call) {
        const { world, caller } = call;
        const issue = issueIn(call, NEEDS.triage);
        const { owner, repo, index } = bodyOf(call, Other);
        const other = issueNumbered(repositoryCalled(world, `${owner}/${repo}`), index);
        addDependency(world, { caller, issue }, other);
        return created(show(call, issue));
      },
    },
  ];
}
