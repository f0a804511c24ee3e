import type { NewCommit } from './git/write-commits.ts';
import { addComment, commentNumbered, deleteComment, editComment } from './state/comments.ts';
import {
  assign,
  deleteIssue,
  editText,
  issueNumbered,
  labelIssue,
  openIssue,
  setOpen,
} from './state/issues.ts';
import { labelsNamed, labelsOrNew } from './state/labels.ts';
import { computeMergeability } from './state/mergeability.ts';
import { mergePull } from './state/merging.ts';
import type { Caller, ReviewState } from './state/model.ts';
import { changeBase, openPull, pullNumbered, requestReview, setPullOpen } from './state/pulls.ts';
import { deleteBranch, pushFiles } from './state/pushes.ts';
import { dismissReview, type LineComment, reviewNumbered, submitReview } from './state/reviews.ts';
import { accountCalled, repositoryCalled, type World } from './state/world.ts';

/** What a person does on the forge's pages. Everything is refused that the forge would refuse. */
export interface Person {
  openIssue(repository: string, text: IssueText): number;
  editIssue(repository: string, number: number, text: Partial<IssueText>): void;
  closeIssue(repository: string, number: number): void;
  reopenIssue(repository: string, number: number): void;
  deleteIssue(repository: string, number: number): void;
  addLabels(repository: string, number: number, names: readonly string[]): void;
  removeLabel(repository: string, number: number, name: string): void;
  assign(repository: string, number: number, login: string): void;
  unassign(repository: string, number: number, login: string): void;
  /** The id of the comment. */
  comment(repository: string, number: number, body: string): number;
  editComment(repository: string, id: number, body: string): void;
  deleteComment(repository: string, id: number): void;
  /** The commit. */
  push(repository: string, plan: PushPlan): Promise<string>;
  deleteBranch(repository: string, branch: string): Promise<void>;
  openPull(repository: string, plan: PullPlan): Promise<number>;
  closePull(repository: string, number: number): void;
  reopenPull(repository: string, number: number): void;
  changeBase(repository: string, number: number, base: string): Promise<void>;
  requestReview(repository: string, number: number, login: string): void;
  /** The id of the review. */
  review(repository: string, number: number, plan: ReviewPlan): Promise<number>;
  dismissReview(repository: string, number: number, id: number): void;
  /** The commit on the base branch. */
  merge(repository: string, number: number): Promise<string>;
}

interface IssueText {
  readonly title: string;
  readonly body?: string;
  readonly labels?: readonly string[];
}

type PushPlan = Pick<NewCommit, 'branch' | 'files'> & {
  readonly message?: string;
  /** The commit to build on, for a push that is no fast-forward. */
  readonly from?: string;
};

interface PullPlan {
  readonly title: string;
  readonly head: string;
  readonly base?: string;
  readonly body?: string;
}

interface ReviewPlan {
  readonly state: ReviewState;
  readonly body?: string;
  readonly comments?: readonly LineComment[];
}

export function actAs(world: World, login: string): Person {
  const caller: Caller = { is: 'person', account: accountCalled(world, login) };
  return { ...issueActs(world, caller), ...pullActs(world, caller) };
}

type IssueActs = Omit<Person, keyof PullActs>;

function issueActs(world: World, caller: Caller): IssueActs {
  const issueIn = (name: string, number: number) => ({
    caller,
    issue: issueNumbered(repositoryCalled(world, name), number),
  });
  const commentIn = (name: string, id: number) => ({
    caller,
    comment: commentNumbered(repositoryCalled(world, name), id),
  });
  return {
    openIssue(name, { title, body = '', labels = [] }) {
      const repository = repositoryCalled(world, name);
      const known = labels.flatMap((label) => labelsNamed(repository, label));
      const plan = { title, body, labels: known, assignees: [] };
      return openIssue(world, { caller, repository }, plan).number;
    },
    editIssue: (name, number, { title, body }) =>
      editText(world, issueIn(name, number), { title, body }),
    closeIssue: (name, number) => setOpen(world, issueIn(name, number), { isOpen: false }),
    reopenIssue: (name, number) => setOpen(world, issueIn(name, number), { isOpen: true }),
    deleteIssue: (name, number) => deleteIssue(world, issueIn(name, number)),
    addLabels(name, number, names) {
      const repository = repositoryCalled(world, name);
      const add = labelsOrNew(world, { caller, repository }, names);
      labelIssue(world, issueIn(name, number), { add });
    },
    removeLabel(name, number, label) {
      const remove = labelsNamed(repositoryCalled(world, name), label);
      labelIssue(world, issueIn(name, number), { remove });
    },
    assign: (name, number, login) =>
      assign(world, issueIn(name, number), { add: [accountCalled(world, login)] }),
    unassign: (name, number, login) =>
      assign(world, issueIn(name, number), { remove: [accountCalled(world, login)] }),
    comment: (name, number, body) => addComment(world, issueIn(name, number), body).id,
    editComment: (name, id, body) => editComment(world, commentIn(name, id), body),
    deleteComment: (name, id) => deleteComment(world, commentIn(name, id)),
  };
}

type PullActs = Pick<
  Person,
  | 'push'
  | 'deleteBranch'
  | 'openPull'
  | 'closePull'
  | 'reopenPull'
  | 'changeBase'
  | 'requestReview'
  | 'review'
  | 'dismissReview'
  | 'merge'
>;

function pullActs(world: World, caller: Caller): PullActs {
  const pullIn = (name: string, number: number) => ({
    caller,
    issue: pullNumbered(repositoryCalled(world, name), number),
  });
  return {
    push(name, { branch, files, message, ...from }) {
      const subject = message ?? `Change ${Object.keys(files).join(', ')}`;
      const repository = repositoryCalled(world, name);
      return pushFiles(world, { caller, repository }, { branch, files, message: subject, ...from });
    },
    deleteBranch: (name, branch) =>
      deleteBranch(world, { caller, repository: repositoryCalled(world, name) }, branch),
    async openPull(name, { title, head, body = '', base }) {
      const repository = repositoryCalled(world, name);
      const into = base ?? repository.defaultBranch;
      const plan = { title, head, body, base: into, isDraft: false };
      return (await openPull(world, { caller, repository }, plan)).number;
    },
    closePull: (name, number) => setPullOpen(world, pullIn(name, number), false),
    reopenPull: (name, number) => setPullOpen(world, pullIn(name, number), true),
    changeBase: (name, number, base) => changeBase(world, pullIn(name, number), base),
    requestReview: (name, number, login) =>
      requestReview(world, pullIn(name, number), {
        reviewers: [accountCalled(world, login)],
        isAdded: true,
      }),
    async review(name, number, { state, body = '', comments = [] }) {
      const plan = { state, body, comments, commit: null };
      return (await submitReview(world, pullIn(name, number), plan)).id;
    },
    dismissReview(name, number, id) {
      const { issue } = pullIn(name, number);
      dismissReview(world, { caller, issue }, reviewNumbered(issue.pull, id));
    },
    async merge(name, number) {
      const { issue } = pullIn(name, number);
      // The button is shown only once the page knows that there is no conflict.
      if (!world.holdsMergeability) await computeMergeability(world, issue);
      const plan = { sha: null, how: 'merge', message: null, deletesBranch: false };
      return mergePull(world, { caller, issue }, plan);
    },
  };
}
