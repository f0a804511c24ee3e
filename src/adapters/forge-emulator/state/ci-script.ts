/** A pushed commit, as a script for the forge's CI sees it. */
interface CiPush {
  /** `owner/name`. */
  readonly repository: string;
  readonly branch: string;
  readonly sha: string;
  /** 1, and one more at each rerun. */
  readonly attempt: number;
  /** A file of the commit, or null. */
  readonly read: (path: string) => Promise<string | null>;
}

export interface CiJob {
  readonly name: string;
  /** A job of the forge's Actions, with a log; or a status that an outside CI sets. */
  readonly as?: 'job' | 'status';
  readonly workflow?: string;
  /** `null` leaves it running until somebody concludes it. */
  readonly conclusion:
    | 'success'
    | 'failure'
    | 'cancelled'
    | 'skipped'
    | 'neutral'
    | 'stale'
    | 'action_required'
    | null;
  readonly log?: string;
}

/** Decides what CI says about a pushed commit; no jobs means that nothing starts. */
export type CiScript = (push: CiPush) => readonly CiJob[] | Promise<readonly CiJob[]>;

interface RedThenGreen {
  readonly job: string;
  readonly log: string;
  /** The branch on which everything is green. */
  readonly base: string;
}

/** Red at the first push of each branch, green from the second on. */
export function redThenGreen({ job, log, base }: RedThenGreen): CiScript {
  const first = new Map<string, string>();
  return ({ repository, branch, sha }) => {
    const key = `${repository} ${branch}`;
    if (!first.has(key)) first.set(key, sha);
    const isRed = branch !== base && first.get(key) === sha;
    return [{ name: job, conclusion: isRed ? 'failure' : 'success', log: isRed ? log : 'ok\n' }];
  };
}
