import type { Board } from './board.ts';
import { needsModel } from './claim-rules.ts';
import { type Decision, refuseWith } from './decision.ts';
import { nameOf } from './ids.ts';
import { checkLease, type Lease } from './lease.ts';
import { isRefusal, type Refusal, refuse } from './refusal.ts';
import { recordUsage } from './reporting.ts';
import type { Run, Usage } from './run.ts';

/** Tokens of one model call, as its provider counts them. */
export interface Tokens {
  readonly input: number;
  readonly cacheRead: number;
  /** Cache writes kept for five minutes, and for an hour. */
  readonly cacheWrite: number;
  readonly cacheWriteLong: number;
  readonly output: number;
}

export const NO_TOKENS: Tokens = {
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cacheWriteLong: 0,
  output: 0,
};

/** Dollars per million tokens. */
interface Price {
  readonly input: number;
  readonly output: number;
}

/** By prefix of the model name; the first match wins. From the provider's price list, 2026. */
const PRICES: readonly (readonly [prefix: string, price: Price])[] = [
  ['claude-opus-4-1', { input: 15, output: 75 }],
  ['claude-opus-4-0', { input: 15, output: 75 }],
  ['claude-opus-4-2025', { input: 15, output: 75 }],
  ['claude-opus-4-', { input: 5, output: 25 }],
  ['claude-sonnet-4', { input: 3, output: 15 }],
  ['claude-3-7-sonnet', { input: 3, output: 15 }],
  ['claude-haiku-4', { input: 1, output: 5 }],
  ['claude-3-5-haiku', { input: 0.8, output: 4 }],
];

/** The highest known price: with an unknown model, a run should hit its budget too early, not too late. */
const UNKNOWN: Price = { input: 15, output: 75 };

const CACHE_READ = 0.1;
const CACHE_WRITE = 1.25;
const CACHE_WRITE_LONG = 2;
const MILLION = 1_000_000;

export function costUsd(model: string, tokens: Tokens): number {
  const { input, output } = PRICES.find(([prefix]) => model.startsWith(prefix))?.[1] ?? UNKNOWN;
  const read =
    tokens.input +
    tokens.cacheRead * CACHE_READ +
    tokens.cacheWrite * CACHE_WRITE +
    tokens.cacheWriteLong * CACHE_WRITE_LONG;
  return (read * input + tokens.output * output) / MILLION;
}

/** What a call adds to the usage already recorded for it. */
export interface MeteredCall {
  readonly model: string;
  readonly tokens: Tokens;
  /** True for the first record of the call. */
  readonly isFirst: boolean;
}

/** Adds a call, or the rest of one, to its run. The model's first response spends the credit. */
export function recordCall(board: Board, lease: Lease, call: MeteredCall): Decision<Run> {
  const run = checkLease(board, lease);
  if (isRefusal(run)) return refuseWith(run);
  return recordUsage(board, lease, added(run.usage, call));
}

function added(before: Usage, { model, tokens, isFirst }: MeteredCall): Usage {
  const { input, cacheRead, cacheWrite, cacheWriteLong, output } = tokens;
  return {
    inputTokens: before.inputTokens + input + cacheRead + cacheWrite + cacheWriteLong,
    outputTokens: before.outputTokens + output,
    turns: before.turns + (isFirst ? 1 : 0),
    costUsd: before.costUsd + costUsd(model, tokens),
  };
}

/** The terms of one model call, checked before each call. */
export interface Allowance {
  readonly run: Run;
  /** The invoker who pays. */
  readonly invoker: string;
}

/** Whether the run may make another model call. */
export function mayCallModel(board: Board, lease: Lease): Allowance | Refusal {
  const run = checkLease(board, lease);
  if (isRefusal(run)) return run;
  const name = nameOf('run', run.id);
  if (run.invoker === null) {
    const because = needsModel(board, run.instance)
      ? 'its worker brings its own model'
      : 'its type says needs_model: false';
    return refuse('no_invoker', `${name} has no invoker: ${because}`);
  }
  const budget = budgetOf(board, run);
  if (run.usage.costUsd >= budget) {
    const cost = run.usage.costUsd.toFixed(2);
    return refuse('over_budget', `${name} has cost $${cost}; its budget is $${budget.toFixed(2)}`);
  }
  return { run, invoker: run.invoker };
}

const DEFAULT_BUDGET_USD = 5;

/** The type's budget, or the project's where that is lower. */
function budgetOf(board: Board, run: Pick<Run, 'instance' | 'project'>): number {
  const type = board.instances.get(run.instance)?.type ?? '';
  const allowed = board.types.get(type)?.settings.budgetUsd ?? DEFAULT_BUDGET_USD;
  const lowered = board.projects.get(run.project)?.settings.budgetUsd ?? allowed;
  return Math.min(allowed, lowered);
}
