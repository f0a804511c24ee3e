import type { Duration, Instant } from './ids.ts';
import type { Declared, Pause } from './project.ts';

/** The owner of a model credential, who pays for runs up to a weekly cap. */
export interface Invoker {
  readonly handle: string;
  readonly settings: InvokerSettings;
  readonly declared: Declared | null;
  readonly paused: Pause | null;
  /** Parked until then by a limit of the provider. */
  readonly parkedUntil: Instant | null;
  readonly parkedBecause?: string | null;
  /** Why the hall cannot read its credential; absent or null when it can. */
  readonly credentialFault?: string | null;
  readonly used: number;
  readonly reserved: number;
  readonly lastUsed: Instant;
}

export interface InvokerSettings {
  readonly weeklyCap: number;
  readonly projects: readonly string[] | null;
}

/** Credits that one run costs. */
export const RUN_COST = 1;

const DAY: Duration = 86_400_000;
const WEEK: Duration = 7 * DAY;

/** 1970-01-05, the first Monday after the epoch. */
const FIRST_MONDAY: Instant = 4 * DAY;

/** The number of the weekly window an instant falls in; windows are half-open and start Monday 00:00 UTC. */
export function windowAt(at: Instant): number {
  return Math.floor((at - FIRST_MONDAY) / WEEK);
}

export function windowStart(window: number): Instant {
  return FIRST_MONDAY + window * WEEK;
}

/** Whether it has a credential and may pay here, regardless of its provider's limits. */
export function mayPay(invoker: Invoker, project: string): boolean {
  const { projects } = invoker.settings;
  if (invoker.paused !== null || (invoker.credentialFault ?? null) !== null) return false;
  return projects === null || projects.includes(project);
}

/** Its provider refuses calls. A clock event unparks it, so a claim never reads the time. */
export function isParked({ parkedUntil }: Invoker): boolean {
  return parkedUntil !== null;
}

/** When the first of them is unparked. */
export function firstUnparkTime(invokers: readonly Invoker[]): Instant | null {
  const times = invokers.flatMap(({ parkedUntil }) => (parkedUntil === null ? [] : [parkedUntil]));
  return times.length === 0 ? null : Math.min(...times);
}

export function hasCredit(invoker: Invoker, cost: number): boolean {
  return invoker.used + invoker.reserved + cost <= invoker.settings.weeklyCap;
}

/** Fewest credits in this window first, then least recently used, then by name. */
export function leastUsed(a: Invoker, b: Invoker): number {
  const spent = a.used + a.reserved - (b.used + b.reserved);
  if (spent !== 0) return spent;
  if (a.lastUsed !== b.lastUsed) return a.lastUsed - b.lastUsed;
  return a.handle < b.handle ? -1 : 1;
}
