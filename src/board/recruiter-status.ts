import type { UnableInstance } from '../domain/staffing.ts';
import type { Hall } from './hall.ts';

/** The state of the recruiter, as it is reported. */
export interface RecruiterStatus {
  readonly alive: number;
  readonly most: number;
  /** Why no run may start on this machine. */
  readonly held: string | null;
  /** Instances whose last workers died, with the last error. */
  readonly resting: readonly RecruitBackoff[];
  /** Instances that cannot start until a person changes something. */
  readonly unable: readonly UnableInstance[];
}

export interface RecruitBackoff {
  readonly instance: string;
  readonly deaths: number;
  readonly seconds: number;
  readonly because: string;
}

const LOGS = 'data/worker/recruits';

/** What the hall does about an instance's missing worker in a project; null where it starts none. */
export function recruiterStatusFor(
  hall: Hall,
  recruiting: RecruiterStatus | null,
  { instance, project }: Pick<UnableInstance, 'instance' | 'project'>,
): string | null {
  if (!recruiting || recruiting.most === 0) return null;
  if (!hall.leading()) return `the leader will start a worker of ${instance}`;
  const { alive, most, held, resting, unable } = recruiting;
  const lack = unable.find((each) => each.instance === instance && each.project === project);
  if (lack) return `the hall cannot start a worker of ${instance}: ${lack.because}`;
  if (held !== null) return `the hall is not starting workers: ${held}`;
  const backoff = resting.find((each) => each.instance === instance);
  if (backoff) {
    const next = new Date(hall.clock.now() + backoff.seconds * 1_000).toISOString();
    const when = backoff.seconds > 0 ? `will start another at ${next}` : 'is starting another';
    return `the last worker of ${instance} died (${backoff.because}); the hall ${when}; for details, see ${LOGS} and the hall's log`;
  }
  if (alive >= most) return `the hall has ${alive} workers, the limit set by hall.max_recruits`;
  return `the hall is about to start a worker of ${instance}`;
}
