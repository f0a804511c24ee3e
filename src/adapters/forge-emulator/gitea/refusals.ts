import type { Answer } from '../http/answer.ts';
import type { Failure } from '../http/dialect.ts';
import type { EmulatorRefused, RefusalCode } from '../state/emulator-refused.ts';

type Sentence = (about: string) => Answer;

const NOT_FOUND: Answer = {
  status: 404,
  body: { errors: null, message: 'not found', url: '/api/swagger' },
};

/** Gitea's status and words for each no. "Please try again later" is said of a conflict too. */
const ANSWERS: Readonly<Record<RefusalCode, Sentence>> = {
  bad_credentials: () => says(401, 'invalid username, password or token'),
  not_found: () => NOT_FOUND,
  gone: () => NOT_FOUND,
  forbidden: (role) =>
    says(
      403,
      role === 'admin'
        ? 'user should be an owner or a collaborator with admin write of a repository'
        : 'write permission is required',
    ),
  app_lacks_permission: () => says(403, 'write permission is required'),
  only_for_apps: () => NOT_FOUND,
  invalid: (field) =>
    field === 'head' || field === 'base' ? NOT_FOUND : says(422, `[${field}]: Invalid`),
  already_exists: (field) => says(409, `${field} already exists`),
  too_long: (field) => says(422, `${field} is too long`),
  own_review: (state) =>
    says(422, `${state === 'approved' ? 'approve' : 'reject'} your own pull is not allowed`),
  pull_exists: (head) => says(409, `pull request already exists for these targets [${head}]`),
  no_commits_between: () => says(422, 'no commits between the branches'),
  not_a_reviewer: (login) => says(422, `${login} cannot be asked for a review`),
  branch_is_gone: (branch) => says(412, `cannot be reopened because the branch ${branch} is gone`),
  merge_not_yet: () => says(405, 'Please try again later'),
  merge_conflict: () => says(405, 'Please try again later'),
  merge_stale_head: () => says(409, 'head out of date'),
  merge_needs_checks: () => says(405, 'Not all required status checks successful'),
  merge_needs_approval: () => says(405, 'Does not have enough approvals'),
  merge_done_already: () => says(405, 'The PR is already merged'),
  merge_of_closed: () => NOT_FOUND,
};

export function giteaRefusal({ code, about }: EmulatorRefused): Answer {
  return ANSWERS[code](about);
}

export function giteaFailure({ status, retryAfter }: Failure): Answer {
  const wait = retryAfter === null ? {} : { 'Retry-After': String(retryAfter) };
  return { ...says(status, status === 429 ? 'Too Many Requests' : 'Server Error'), headers: wait };
}

function says(status: number, message: string): Answer {
  return { status, body: { message, url: '/api/swagger' } };
}
