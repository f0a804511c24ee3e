import type { Hall } from './hall.ts';

/** The state of the recruiter, as it is reported. */
export interface RecruiterStatus {
  readonly alive: number;
  readonly most: number;
  /** Why no run may start on this machine. */
  readonly held: string | null;
  /** Instances whose last workers died, with the last error. */
  readonly resting: readonly RecruitBackoff[];
}

export interface RecruitBackoff {
  readonly instance: string;
  readonly deaths: number;
  readonly seconds: number;
  readonly because: string;
}

const LOGS = 'data/worker/recruits';

/** What the hall does about an instance's missing worker; null where it starts none. */
export function recruiterStatusFor(
  hall: Hall,
  recruiting: RecruiterStatus | null,
  instance: string,
): string | null {
  if (!recruiting || recruiting.most === 0) return null;
  if (!hall.leading()) return `the leader will start a worker of ${instance}`;
  const { alive, most, held, resting } = recruiting;
  if (held !== null) return `the hall is not starting workers: ${held}`;
  const backoff = resting.find((each) => each.instance === instance);
  if (backoff && backoff.seconds > 0) {
    const next = new Date(hall.clock.now() + backoff.seconds * 1_000).toISOString();
    return `the last worker of ${instance} died (${backoff.because}); the hall will start another at ${next}; for details, see ${LOGS} and the hall's log`;
  }
  if (alive >= most) return `the hall has ${alive} workers, the limit set by hall.max_recruits`;
  return `the hall is about to start a worker of ${instance}`;
}
