import type { HallEvent } from '../event.ts';
import type { Duration, Instant } from '../ids.ts';
import { handOverToPerson } from '../pull-request.ts';
import type { Thread } from '../thread.ts';
import type { IssueRecord } from './issue-record.ts';

/** Two bots that answer each other cost money until something counts, whoever triggers. */
const MAX_TRIGGERS = 10;
const WINDOW: Duration = 60 * 60_000;

/** The triggers of the last hour, with one more. */
export function withTrigger({ triggers = [] }: IssueRecord, at: Instant): readonly Instant[] {
  return [...recent(triggers, at), at];
}

export function isBudgetSpent({ triggers = [] }: IssueRecord, at: Instant): boolean {
  return recent(triggers, at).length >= MAX_TRIGGERS;
}

function recent(triggers: readonly Instant[], at: Instant): readonly Instant[] {
  return triggers.filter((time) => at - time < WINDOW);
}

/** The thread waits for a person, who sees what went round in circles. */
export function stopLoop(thread: Thread | undefined, at: Instant): readonly HallEvent[] {
  if (!thread || thread.handedOver) return [];
  const because = `it was triggered ${MAX_TRIGGERS} times within an hour; look for two bots that answer each other`;
  return [handOverToPerson(thread, because, at)];
}
