import type { Board } from '../domain/board.ts';
import { NO_TALLY, type Tally } from '../domain/project.ts';
import { windowStart } from '../domain/quota.ts';
import type { Run } from '../domain/run.ts';
import { timeOf } from './views/ids-and-times.ts';

export function statsOf(board: Board) {
  const projects = [...board.projects.keys()].map((name) => ({
    name,
    open: board.openIn.get(name) ?? 0,
    ...ratesOf(board.tallies.get(name) ?? NO_TALLY),
  }));
  const total = [...board.tallies.values()].reduce(added, NO_TALLY);
  return { totals: ratesOf(total), projects };
}

/** Rejected and cancelled tasks say nothing about quality, so the rate excludes them. */
function ratesOf(tally: Tally) {
  const { completed, failed, rejected, cancelled, rejections, forcedMerges = 0 } = tally;
  const judged = completed + failed;
  return {
    completed,
    failed,
    rejected,
    cancelled,
    success_rate: judged === 0 ? null : completed / judged,
    rejections: { ...rejections },
    forced_merges: forcedMerges,
  };
}

function added(sum: Tally, tally: Tally): Tally {
  const codes = new Set([...Object.keys(sum.rejections), ...Object.keys(tally.rejections)]);
  return {
    completed: sum.completed + tally.completed,
    failed: sum.failed + tally.failed,
    rejected: sum.rejected + tally.rejected,
    cancelled: sum.cancelled + tally.cancelled,
    rejections: Object.fromEntries(
      [...codes].map((code) => [code, (sum.rejections[code] ?? 0) + (tally.rejections[code] ?? 0)]),
    ),
    forcedMerges: (sum.forcedMerges ?? 0) + (tally.forcedMerges ?? 0),
  };
}

export function usageOf(board: Board) {
  const { window } = board.hall;
  const runs = [...board.runs.values()];
  return {
    window: { opens: timeOf(windowStart(window)), closes: timeOf(windowStart(window + 1)) },
    invokers: [...board.invokers.values()].map(({ handle, used, reserved, settings }) => ({
      handle,
      used,
      reserved,
      weekly_cap: settings.weeklyCap,
    })),
    running: {
      total: spentBy(runs),
      projects: [...board.projects.keys()].map((name) => ({
        name,
        ...spentBy(runs.filter((run) => run.project === name)),
      })),
    },
  };
}

function spentBy(runs: readonly Run[]) {
  const spent = { runs: runs.length, input_tokens: 0, output_tokens: 0, turns: 0, cost_usd: 0 };
  for (const { usage } of runs) {
    spent.input_tokens += usage.inputTokens;
    spent.output_tokens += usage.outputTokens;
    spent.turns += usage.turns;
    spent.cost_usd += usage.costUsd;
  }
  return spent;
}
