interface Times {
  readonly grace: number;
  readonly deadAfter: number;
}

/** Tells the operator how long the shutdown takes, which workers continue and how to stop at once. */
export function shutdownMessage(runs: number, { grace, deadAfter }: Times): string {
  const first = `waiting up to ${grace / 1_000} s for active requests; press Ctrl-C again to stop at once`;
  return runs === 0 ? first : `${first}\n${continuingRuns(runs, deadAfter)}`;
}

/** What becomes of the runs while no hall is there. */
export function continuingRuns(runs: number, deadAfter: number): string {
  const workers =
    runs === 1
      ? '1 worker continues its run and can report'
      : `${runs} workers continue their runs and can report`;
  return `${workers} if the hall is back within ${deadAfter / 1_000} s`;
}
