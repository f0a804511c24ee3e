import { loadPeer } from './load-peer.ts';

/** The parts of the simulation that are used; loaded by path, because a tree may not have it. */
interface Scenario {
  readonly name: string;
}
type Play = (
  scenario: Scenario,
  seed: number,
) => Promise<{ readonly steps: number; readonly violation?: string | undefined }>;

export interface Simulated {
  readonly schedules: number;
  readonly steps: number;
  readonly cpuSeconds: number;
  readonly violations: readonly string[];
}

const [folder = '', seconds = '1', first = '1'] = process.argv.slice(2);
const { play } = await loadPeer<{ play: Play }>(`${folder}/schedule.ts`);
const { SCENARIOS } = await loadPeer<{ SCENARIOS: readonly Scenario[] }>(`${folder}/scenarios.ts`);

console.log(JSON.stringify(await simulate(Number(seconds), Number(first))));

/** Runs every scenario with one seed after another until the time is over. */
async function simulate(limit: number, from: number): Promise<Simulated> {
  const violations: string[] = [];
  let schedules = 0;
  let steps = 0;
  for (const scenario of SCENARIOS) await play(scenario, 0);
  const before = process.cpuUsage();
  const until = performance.now() + limit * 1000;
  for (let seed = from; performance.now() < until; seed += 1) {
    for (const scenario of SCENARIOS) {
      const played = await play(scenario, seed);
      schedules += 1;
      steps += played.steps;
      if (played.violation) violations.push(`${scenario.name}, seed ${seed}: ${played.violation}`);
    }
  }
  const { user, system } = process.cpuUsage(before);
  return { schedules, steps, cpuSeconds: (user + system) / 1e6, violations };
}
