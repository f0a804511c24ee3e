import type { Answer } from '../http/answer.ts';
import type { Failure } from '../http/dialect.ts';
import type { EmulatorRefused, RefusalCode } from '../state/emulator-refused.ts';

type Sentence = (about: string) => Answer;

/** GitHub's status and words for each no. */
const ANSWERS: Readonly<Record<RefusalCode, Sentence>> = {
  bad_credentials: () => says(401, 'Bad credentials'),
  not_found: () => says(404, 'Not Found'),
  gone: () => says(410, 'This issue was deleted'),
  forbidden: () => says(403, 'Must have admin rights to Repository.'),
  app_lacks_permission: () => says(403, 'Resource not accessible by integration'),
  only_for_apps: () => says(403, 'You must authenticate via a GitHub App.'),
  invalid: (field) =>
    ['path', 'line'].includes(field)
      ? unprocessable(`${field === 'path' ? 'Path' : 'Line'} could not be resolved`)
      : invalid({ resource: resourceOf(field), field, code: 'invalid' }),
  already_exists: (field) => invalid({ resource: 'Label', field, code: 'already_exists' }),
  too_long: () =>
    invalid({
      ...{ resource: 'IssueComment', field: 'data', code: 'unprocessable' },
      message: 'Body is too long (maximum is 65536 characters)',
    }),
  own_review: (state) =>
    unprocessable(
      `Review Can not ${state === 'approved' ? 'approve' : 'request changes on'} your own pull request`,
    ),
  pull_exists: (head) => custom(`A pull request already exists for ${head.replace(/ #\d+$/, '')}.`),
  no_commits_between: (base) => custom(`No commits between ${base} and the head`),
  not_a_reviewer: () =>
    says(
      422,
      'Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the repository.',
    ),
  branch_is_gone: (branch) =>
    invalid({
      ...{ resource: 'PullRequest', field: 'state', code: 'invalid' },
      message: `state cannot be changed. The ${branch} branch has been deleted.`,
    }),
  merge_not_yet: () => says(405, 'Base branch was modified. Review and try the merge again.'),
  merge_conflict: () => says(405, 'Pull Request is not mergeable'),
  merge_stale_head: () => says(409, 'Head branch was modified. Review and try the merge again.'),
  merge_needs_checks: () => says(405, 'Required status checks are expected.'),
  merge_needs_approval: () =>
    says(405, 'At least 1 approving review is required by reviewers with write access.'),
  merge_done_already: () => says(405, 'Pull Request is not mergeable'),
  merge_of_closed: () => says(405, 'Pull Request is not mergeable'),
};

export function githubRefusal({ code, about }: EmulatorRefused): Answer {
  return ANSWERS[code](about);
}

export function githubFailure({ status, retryAfter, isSecondary }: Failure): Answer {
  const wait = retryAfter === null ? {} : { 'Retry-After': String(retryAfter) };
  return { ...says(status, sentenceOf(status, isSecondary)), headers: wait };
}

function sentenceOf(status: number, isSecondary: boolean): string {
  if (isSecondary) {
    return 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.';
  }
  return status === 403 || status === 429 ? 'API rate limit exceeded' : 'Server Error';
}

function says(status: number, message: string): Answer {
  const documentation_url = 'https://docs.github.com/rest';
  return { status, body: { message, documentation_url, status: String(status) } };
}

function invalid(error: {
  readonly resource: string;
  readonly code: string;
  readonly field?: string;
  readonly message?: string;
}): Answer {
  const documentation_url = 'https://docs.github.com/rest';
  const body = { message: 'Validation Failed', errors: [error], documentation_url, status: '422' };
  return { status: 422, body };
}

function custom(message: string): Answer {
  return invalid({ resource: 'PullRequest', code: 'custom', message });
}

function unprocessable(sentence: string): Answer {
  const documentation_url = 'https://docs.github.com/rest';
  const body = { message: 'Unprocessable Entity', errors: [sentence], documentation_url };
  return { status: 422, body: { ...body, status: '422' } };
}

function resourceOf(field: string): string {
  return ['head', 'base', 'state'].includes(field) ? 'PullRequest' : 'Issue';
}
