import type { Board } from '../domain/board.ts';
import { issueKey } from '../domain/forge/issue-record.ts';
import { finishLook } from '../domain/forge/look.ts';
import { takeDeletedIssue } from '../domain/forge/take-issue.ts';
import { knownPullRequest } from '../domain/thread.ts';
import { ForgeFailed, type LookTarget } from '../ports/forge.ts';
import { codePathOf } from './apply-checks.ts';
import { applyLook, isCurrent, type LookNeeds, type ThreadPlace, threadAt } from './apply-look.ts';
import { changeForForge, repeatForForge } from './forge-changes.ts';
import type { Hall } from './hall.ts';
import { looksUnderWay } from './looks-under-way.ts';

/**
 * Reads one issue with its pull request and brings the board in line. Every fact is recorded by a change of
 * its own, together with how far the issue was read, so a crash in between repeats nothing. Returns false if the
 * board went ahead of what was read: then another look is needed.
 */
export async function lookAtThread(needs: LookNeeds, place: ThreadPlace): Promise<boolean> {
  const { hall } = needs;
  const begunAt = hall.clock.now();
  const keys = new Set([place.asked, issueKey(place.repo, place.number)]);
  const underWay = looksUnderWay(hall);
  for (const key of keys) underWay.set(key, begunAt);
  try {
    const headBefore = threadAt(hall.board, place)?.forge.head ?? null;
    const looked = { ...place, headBefore };
    const snapshot = await place.forge.look(targetOf(hall.board, place));
    if (snapshot !== null) await applyLook(needs, looked, snapshot);
    else await takeGone(hall, place);
    if (!isCurrent(hall.board, looked, snapshot)) return false;
    for (const key of keys) await changeForForge(hall, (board) => finishLook(board, key, begunAt));
    return true;
  } finally {
    for (const key of keys) underWay.delete(key);
  }
}

/** The number of a pull request leads to the issue of its thread. */
function targetOf(board: Board, { repo, path, number }: ThreadPlace): LookTarget {
  const record = board.issues.get(issueKey(repo, number));
  const thread = threadAt(board, { repo, number });
  const seen = record?.seen ?? { comment: 0, review: 0 };
  if (!thread) return { repo: path, number, pull: null, seen };
  const { branch, pr } = thread.forge;
  const pull = {
    repo: codePathOf(board, thread) ?? path,
    number: knownPullRequest(pr)?.number ?? null,
    branch: branch ?? '',
  };
  return { repo: path, number, pull: branch === null ? null : pull, seen };
}

/** The issue was deleted, unless the whole repository is out of sight: that ends no work. */
async function takeGone(hall: Hall, { forge, repo, path, number, project }: ThreadPlace) {
  if (!(await forge.exists(path))) {
    const because = `${path} is not there: it was renamed or deleted, or the hall lost its access; correct repo of the project ${project.name}`;
    throw new ForgeFailed(because, { retry: 'never' });
  }
  await repeatForForge(hall, (board, now, closed) =>
    takeDeletedIssue(board, closed, { repo, number }, now),
  );
}
