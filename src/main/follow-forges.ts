import { createHash } from 'node:crypto';
import { createRights } from '../board/forge-rights.ts';
import type { Hall } from '../board/hall.ts';
import { type FollowedRepository, lookAtForges } from '../board/look-at-forges.ts';
import { type RecruiterStatus, recruiterStatusFor } from '../board/recruiter-status.ts';
import { updateForges } from '../board/update-forges.ts';
import type { Config } from '../config/config.ts';
import { repositoryOn } from '../domain/forge/connected-forges.ts';
import { createRedactor } from '../domain/redaction.ts';
import type { Thread } from '../domain/thread.ts';
import { why } from '../domain/why.ts';
import type { Workforce } from '../domain/why-unclaimed.ts';
import type { Log } from '../ports/log.ts';
import type { Merged, Pull, PullRequestHost } from '../ports/pull-request-host.ts';
import { waitingWorkers } from '../queries/waiting-workers.ts';
import type { Forges } from './forges.ts';

interface Needs {
  readonly hall: Hall;
  readonly config: Config;
  readonly log: Log;
  readonly secrets: () => Iterable<string>;
  readonly forges: Forges;
}

interface FollowedForges {
  /** Looks at an issue of a project now. */
  lookAt(project: string, number: number): Promise<void>;
  repositories(): readonly FollowedRepository[];
  stop(): Promise<void>;
}

interface Known {
  readonly recruiting: () => RecruiterStatus;
  /** Whether a webhook covers a repository. */
  readonly isCovered: (repo: string) => boolean;
}

/** Reads the connected forges and shows the board on them. */
export function followForges(needs: Needs, { recruiting, isCovered }: Known): FollowedForges {
  const { hall, config, log, secrets, forges } = needs;
  const { clock } = hall;
  const redact = createRedactor(secrets);
  const workforceFor = (project: string): Workforce => ({
    waiting: waitingWorkers(hall),
    recruiting: (instance) => recruiterStatusFor(hall, recruiting(), { instance, project }),
  });
  const looks = lookAtForges({
    ...{ hall, clock, log, workforceFor },
    rightsOf: createRights({ clock, log }),
    forgeNamed: forges.named,
    pollEvery: forges.pollEvery,
    isCovered,
  });
  const updates = updateForges({
    ...{ hall, clock, log },
    forgeNamed: forges.named,
    redact: (text) => redact(text),
    hash: (text) => createHash('sha256').update(text).digest('hex').slice(0, 16),
    waitOf: (thread) => waitOf(hall, thread, workforceFor(thread.project)),
    publicUrl: config.hall.publicUrl,
  });
  return {
    repositories: () =>
      looks.repositories().map(({ failure, ...repository }) => {
        const forge = repositoryOn(repository.repo)?.forge ?? '';
        return { ...repository, failure: failure ?? updates.failureOf(forge) };
      }),
    lookAt: (project, number) => looks.lookAt(project, number),
    async stop() {
      await Promise.all([looks.stop(), updates.stop()]);
    },
  };
}

/** The first reason of `why` for the next task of a thread. */
function waitOf({ board }: Hall, thread: Thread, workforce: Workforce): string | null {
  const [first] = thread.tasks;
  const task = first === undefined ? undefined : board.tasks.get(first);
  if (!task) return null;
  const { reasons } = why(board, task, thread, workforce);
  return reasons[0]?.because ?? null;
}

/** A repository in a folder is the hall's own, any other is on a forge. */
export function pullRequestHosts(local: PullRequestHost, hosted: PullRequestHost): PullRequestHost {
  const hostOf = ({ repo }: Pull) => (repo.startsWith('file:') ? local : hosted);
  return {
    check: (pull, stop) => hostOf(pull).check(pull, stop),
    rerun: (pull, names) => hostOf(pull).rerun(pull, names),
    tips: (pull) => hostOf(pull).tips(pull),
    update: (pull, onto) => hostOf(pull).update(pull, onto),
    merge: (pull): Promise<Merged> => hostOf(pull).merge(pull),
  };
}
