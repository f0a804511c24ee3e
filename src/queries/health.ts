import type { Health } from '../api/overview.ts';
import type { Hall } from '../board/hall.ts';
import type { FollowedRepository } from '../board/look-at-forges.ts';
import type { FailedAction } from '../board/reconcile-pull-requests.ts';
import type { RecruiterStatus } from '../board/recruiter-status.ts';
import type { SecretStore } from '../board/secret-store.ts';
import { shownFault } from '../board/shown-fault.ts';
import type { SourceSync } from '../board/sync-sources.ts';
import type { RepositoryStatus } from '../board/watch-repositories.ts';
import type { Board } from '../domain/board.ts';
import { LOW_DISK_BYTES } from '../domain/disk-space.ts';
import { isReviewed, lacksApprovers } from '../domain/merging/policy.ts';
import { gateWarning, secretsWarning } from '../domain/pool.ts';
import { isolationWarning } from '../domain/project.ts';
import { hasCredit, type Invoker, isParked, mayPay, RUN_COST } from '../domain/quota.ts';
import { staffedProjects } from '../domain/recruiting.ts';
import { typesUsedIn } from '../domain/routing.ts';
import type { SecretUse } from '../domain/secret.ts';
import { unableText } from '../domain/staffing.ts';
import type { Head } from '../ports/store.ts';
import { answerInTime } from './answer-in-time.ts';
import { forgesHealth } from './forges-health.ts';
import { secretsHealth } from './secrets-health.ts';
import { sourcesHealth } from './sources-health.ts';
import { UNKNOWN_LIVENESS } from './views/pool.ts';
import { workerLiveness } from './worker-liveness.ts';

interface Disk {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** What this node runs on its own machine; null before it starts. */
export interface Machine {
  readonly recruiting: RecruiterStatus | null;
  /** What it follows on forges; null before it starts. */
  readonly repositories: readonly FollowedRepository[] | null;
  /** How the repositories are connected. */
  readonly connections: readonly RepositoryStatus[];
  /** Reads the task sources; null before it starts. */
  readonly sources: SourceSync | null;
  /** What is wrong with the catalog of personas of this node. */
  readonly catalogMistakes: readonly string[];
  /** Checks, updates and merges of pull requests that failed. */
  readonly failing: readonly FailedAction[];
  readonly kept: {
    readonly bytes: number;
    readonly budgetBytes: number | null;
    readonly noSpace: string | null;
  } | null;
}

export type FreeDisk = () => Promise<Disk | undefined>;

type Component = Health['components'][number];
type Status = Component['status'];

const SCARCE_BYTES = 1024 * 1024 * 1024;

interface Needs {
  readonly hall: Hall;
  readonly freeDisk: FreeDisk;
  readonly machine: () => Machine;
  readonly secretStore: SecretStore;
  readonly secretUses: () => readonly SecretUse[];
}

/** The hall's components and the problems of each. */
export async function healthOf(needs: Needs): Promise<Health> {
  const { hall, freeDisk } = needs;
  const { board, clock } = hall;
  const seen = answerInTime(clock, workerLiveness(hall), () => UNKNOWN_LIVENESS);
  const [store, liveness] = await Promise.all([storeHealth(hall), seen]);
  const { recruiting, kept, failing, repositories, connections, catalogMistakes } = needs.machine();
  const components = [
    store,
    leadershipHealth(hall),
    recruiterHealth(hall, recruiting),
    agentsHealth(hall, recruiting),
    personasHealth(board, catalogMistakes),
    workersHealth(hall, liveness),
    executorsHealth(board),
    sourcesHealth(hall),
    {
      name: 'forges',
      ...forgesHealth({
        ...{ board, failing, repositories, connections },
        isLeading: hall.leading() !== undefined,
        now: clock.now(),
      }),
    },
    reviewsHealth(board),
    diskHealth(await freeDisk(), kept),
    invokersHealth(board),
    choresHealth(hall),
    ...secretsHealth(needs),
  ];
  return { status: worstOf(components.map(({ status }) => status)), components };
}

function worstOf(statuses: readonly Status[]): Status {
  if (statuses.includes('down')) return 'down';
  return statuses.includes('degraded') ? 'degraded' : 'up';
}

async function storeHealth(hall: Hall): Promise<Component> {
  const fault = hall.fault();
  if (fault) return { name: 'store', status: 'down', says: 'failed; restart the hall' };
  const head = await headInTime(hall);
  return 'fault' in head
    ? { name: 'store', status: 'down', says: head.fault }
    : { name: 'store', status: 'up', says: `the log ends with event ${head.seq}` };
}

/** The end of the log, or why the store did not report it in time. */
export function headInTime({ clock, store }: Hall): Promise<Head | { readonly fault: string }> {
  const head: Promise<Head | { readonly fault: string }> = store.head();
  return answerInTime(clock, head, (fault) => ({ fault: shownFault(fault) ?? 'does not respond' }));
}

function leadershipHealth(hall: Hall): Component {
  const name = 'leadership';
  const fault = leadershipFault(hall);
  if (fault !== undefined) return { name, status: 'down', says: fault };
  const says = hall.leading() ? 'this node is the leader' : `follows ${hall.leaderUrl()}`;
  return { name, status: 'up', says };
}

/** Why this node can neither make a change nor forward it; undefined when it can. */
function leadershipFault(hall: Hall): string | undefined {
  const silent = hall.leading()?.cutOffFor() ?? 0;
  if (silent > 0) {
    const seconds = Math.round(silent / 1_000);
    return `cut off from the database for ${seconds} s: another node may be the leader`;
  }
  if (hall.leading() || hall.leaderUrl() !== undefined) return undefined;
  const obstacle = hall.obstacle();
  return `no leader: writes are refused${obstacle === undefined ? '' : `: ${obstacle}`}`;
}

function workersHealth(
  { board, clock, times }: Hall,
  liveness: Awaited<ReturnType<typeof workerLiveness>>,
): Component {
  const silent = [...board.workers.values()].filter(({ id, registeredAt }) => {
    return clock.now() - (liveness.lastSeen(id) ?? registeredAt) > times.lease / 2;
  });
  const says = `${board.workers.size - silent.length} live, ${silent.length} silent`;
  return { name: 'workers', status: silent.length > 0 ? 'degraded' : 'up', says };
}

/** Some projects want to wait for people, so this is never degraded. */
function reviewsHealth(board: Board): Component {
  const waiting = [...board.projects.values()].flatMap((project) => {
    const lack = lacksApprovers(project.settings, isReviewed(board, project));
    return lack === null ? [] : [`${project.name} needs a person to approve: ${lack}`];
  });
  const says = waiting.length === 0 ? 'no project lacks a reviewer' : waiting.join('; ');
  return { name: 'reviews', status: 'up', says };
}

/** A worker that died early delays the next start for a while. */
function recruiterHealth(hall: Hall, recruiting: RecruiterStatus | null): Component {
  const name = 'recruiter';
  if (!hall.leading()) return { name, status: 'up', says: 'handled by the leader' };
  if (!recruiting || recruiting.most === 0)
    return { name, status: 'up', says: 'starts no workers' };
  const { alive, most, held, resting } = recruiting;
  const count = `${alive} of at most ${most} workers started by the hall`;
  if (held !== null)
    return { name, status: 'degraded', says: `${count}; not starting workers: ${held}` };
  if (resting.length === 0) return { name, status: 'up', says: count };
  const backoffs = resting.map(
    ({ instance, deaths, seconds, because }) =>
      `${instance} died ${deaths} times in a row, next start in ${seconds} s: ${because}`,
  );
  return { name, status: 'degraded', says: `${count}; ${backoffs.join('; ')}` };
}

/** Whether the hall's own agents can start where they are needed. */
function agentsHealth(hall: Hall, recruiting: RecruiterStatus | null): Component {
  const name = 'agents';
  if (!hall.leading()) return { name, status: 'up', says: 'handled by the leader' };
  if (!recruiting || recruiting.most === 0 || staffedProjects(hall.board).length === 0) {
    return { name, status: 'up', says: 'no agents of its own' };
  }
  const lacks = unableText(recruiting.unable);
  if (lacks.length > 0) return { name, status: 'degraded', says: lacks.join('; ') };
  return {
    name,
    status: 'up',
    says: 'can start in every project with a repository on this machine',
  };
}

/** A catalog with mistakes changes nothing: tasks go on with the personas that there were. */
function personasHealth(board: Board, mistakes: readonly string[]): Component {
  const name = 'personas';
  const slugs = [...board.personas.values()].filter(({ retired }) => !retired);
  const count = `${slugs.length} can be asked for`;
  if (mistakes.length > 0) {
    const says = `${count}; agents.yml has mistakes, so it is not used: ${mistakes.join('; ')}`;
    return { name, status: 'degraded', says };
  }
  const hidden = slugs.filter(({ slug }) => board.instances.has(slug)).map(({ slug }) => slug);
  const clash = hidden.map(
    (slug) => `${slug} is also an instance, and the name means the instance`,
  );
  return { name, status: 'up', says: [count, ...clash].join('; ') };
}

/** Which isolation agents run in, its gaps, and agents that the tool gate does not judge. */
function executorsHealth(board: Board): Component {
  const name = 'executors';
  const kinds = new Map<string, number>();
  const gaps = new Set<string>();
  for (const { cells } of board.workers.values()) {
    if (!cells) continue;
    kinds.set(cells.kind, (kinds.get(cells.kind) ?? 0) + 1);
    for (const gap of cells.gaps) gaps.add(`${cells.kind}: ${gap}`);
  }
  for (const project of board.projects.values()) {
    const lack = isolationWarning(project.settings);
    if (lack !== null) gaps.add(`${project.name}: ${lack}`);
    const ungated = gateWarning(typesUsedIn(board, project.name));
    if (ungated !== null) gaps.add(`${project.name}: ${ungated}`);
  }
  for (const { name: type, settings } of board.types.values()) {
    const readable = secretsWarning(settings);
    if (readable !== null) gaps.add(`type ${type}: ${readable}`);
  }
  const counts =
    [...kinds].map(([kind, count]) => `${kind} on ${count}`).join(', ') ||
    'no worker with cells is registered';
  if (gaps.size === 0) return { name, status: 'up', says: counts };
  return { name, status: 'degraded', says: [counts, ...gaps].join('; ') };
}

function diskHealth(disk: Disk | undefined, kept: Machine['kept']): Component {
  const name = 'disk';
  const work = kept === null ? '' : workOnDisk(kept);
  if (!disk) return { name, status: 'up', says: `not measured${work}` };
  const says = `${mebibytes(disk.freeBytes)} MiB free${work}`;
  if (disk.freeBytes < LOW_DISK_BYTES) return { name, status: 'down', says };
  const isScarce = disk.freeBytes < SCARCE_BYTES || (kept?.noSpace ?? null) !== null;
  return { name, status: isScarce ? 'degraded' : 'up', says };
}

function workOnDisk({ bytes, budgetBytes, noSpace }: NonNullable<Machine['kept']>): string {
  const budget = budgetBytes === null ? '' : ` of a budget of ${mebibytes(budgetBytes)} MiB`;
  const closed = noSpace === null ? '' : `; not starting runs: ${noSpace}`;
  return `, mirrors and cells use ${mebibytes(bytes)} MiB${budget}${closed}`;
}

function mebibytes(bytes: number): number {
  return Math.floor(bytes / 1024 ** 2);
}

function invokersHealth(board: Board): Component {
  const name = 'invokers';
  const all = [...board.invokers.values()];
  if (all.length === 0) {
    return {
      name,
      status: 'up',
      says: 'none: only workers that bring their own model, and types with needs_model: false, can claim tasks',
    };
  }
  const projects = [...board.projects.keys()];
  const paying = all.filter(
    (invoker) =>
      !isParked(invoker) &&
      projects.some((project) => mayPay(invoker, project)) &&
      hasCredit(invoker, RUN_COST),
  );
  const obstacles = all.flatMap((invoker) => [...credentialFault(invoker), ...parking(invoker)]);
  const says = [`${paying.length} of ${all.length} can pay`, ...obstacles].join('; ');
  return { name, status: paying.length === 0 ? 'degraded' : 'up', says };
}

function credentialFault({ handle, credentialFault: fault }: Invoker): readonly string[] {
  return fault ? [`${handle} cannot: ${fault}`] : [];
}

function parking({ handle, parkedUntil, parkedBecause }: Invoker): readonly string[] {
  if (parkedUntil === null) return [];
  const until = new Date(parkedUntil).toISOString();
  return [`${handle} is parked until ${until}${parkedBecause ? `: ${parkedBecause}` : ''}`];
}

function choresHealth(hall: Hall): Component {
  const name = 'chores';
  if (!hall.leading()) return { name, status: 'up', says: 'handled by the leader' };
  return { name, status: 'up', says: `every ${hall.times.tick / 1000} s` };
}
