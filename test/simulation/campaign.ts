import { SCENARIOS, type Scenario } from './scenarios.ts';
import { play } from './schedule.ts';

/** Which stories to play. Without a scenario the seeds go round all of them. */
export interface Campaign {
  readonly scenario: string | undefined;
  readonly first: number;
  readonly last: number;
  /** Every how many-th seed is played here; others play the rest. */
  readonly stride: number;
  /** Stops after so many stories that went wrong. */
  readonly mostViolations: number;
}

export interface Found {
  readonly scenario: string;
  readonly seed: number;
  readonly violation: string;
}

/** The totals of one scenario. */
export interface Sum {
  stories: number;
  steps: number;
  readonly counts: Record<string, number>;
}

export interface Played {
  readonly found: readonly Found[];
  readonly sums: Readonly<Record<string, Sum>>;
  /** Seconds of processor time. */
  readonly seconds: number;
}

export function scenarioOf(seed: number): Scenario {
  return SCENARIOS[seed % SCENARIOS.length] as Scenario;
}

export function scenarioCalled(name: string): Scenario {
  const found = SCENARIOS.find((scenario) => scenario.name === name);
  if (found) return found;
  const names = SCENARIOS.map((scenario) => scenario.name).join(', ');
  throw new Error(`there is no scenario ${name}; there are ${names}`);
}

export async function playAll(campaign: Campaign, played: () => void): Promise<Played> {
  const { scenario: name, first, last, stride, mostViolations } = campaign;
  const found: Found[] = [];
  const sums: Record<string, Sum> = {};
  const started = process.cpuUsage();
  for (let seed = first; seed <= last && found.length < mostViolations; seed += stride) {
    const scenario = name === undefined ? scenarioOf(seed) : scenarioCalled(name);
    const verdict = await play(scenario, seed);
    sums[scenario.name] ??= { stories: 0, steps: 0, counts: {} };
    add(sums[scenario.name] as Sum, verdict);
    const { violation } = verdict;
    if (violation !== undefined) found.push({ scenario: scenario.name, seed, violation });
    played();
  }
  const { user, system } = process.cpuUsage(started);
  return { found, sums, seconds: (user + system) / 1e6 };
}

/** A campaign in which little was achieved proves little: the scenario it is true of, in words. */
export function emptiness(sums: Played['sums']): string | undefined {
  for (const [name, { stories, counts }] of Object.entries(sums)) {
    const { least } = scenarioCalled(name);
    const claims = (counts['RunClaimed'] ?? 0) / stories;
    const completions = (counts['completed'] ?? 0) / stories;
    if (claims >= least.claims && completions >= least.completions) continue;
    return `${name} has ${claims.toFixed(1)} claims and ${completions.toFixed(1)} completions in a story`;
  }
  return undefined;
}

function add(sum: Sum, { steps, counts }: Awaited<ReturnType<typeof play>>): void {
  sum.stories += 1;
  sum.steps += steps;
  for (const [what, times] of Object.entries(counts)) {
    sum.counts[what] = (sum.counts[what] ?? 0) + times;
  }
}
