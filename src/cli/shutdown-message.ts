interface Times {
  readonly grace: number;
  readonly deadAfter: number;
}

/** What a person reads who told the hall to stop: how long it takes, who goes on, how to wait no longer. */
export function shutdownMessage(runs: number, { grace, deadAfter }: Times): string {
  const first = `waits up to ${grace / 1_000} s for requests under way; Ctrl-C again stops at once`;
  if (runs === 0) return first;
  const who =
    runs === 1
      ? '1 worker goes on with its run and reports'
      : `${runs} workers go on with their runs and report`;
  return `${first}\n${who} if the hall is back within ${deadAfter / 1_000} s`;
}
