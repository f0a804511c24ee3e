import type { Duration } from '../ids.ts';
import type { SourceFailure } from './item.ts';

/** How often reading a source is retried before the hall only probes it now and then. */
export const MAX_SOURCE_RETRIES = 5;

export interface RetryTimes {
  /** Before the first retry; each one waits twice as long as the one before. */
  readonly first: Duration;
  /** Between two probes once all retries have failed. */
  readonly probe: Duration;
}

/** How long to wait after reading has failed this often in a row. */
export function waitAfterFailure(failures: number, { first, probe }: RetryTimes): Duration {
  return failures > MAX_SOURCE_RETRIES ? probe : first * 2 ** (failures - 1);
}

/** For people: what the hall does about a source that it cannot read. */
export function failureText({ because, tries }: SourceFailure): string {
  const next =
    tries > MAX_SOURCE_RETRIES
      ? `gave up after ${MAX_SOURCE_RETRIES} retries, probing it now and then`
      : `retry ${tries} of ${MAX_SOURCE_RETRIES} follows`;
  return `task source unavailable: ${because} (${next})`;
}
