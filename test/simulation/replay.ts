import { parseArgs } from 'node:util';
import { play } from './schedule.ts';
import { SCENARIOS } from './scenarios.ts';

const { values } = parseArgs({
  options: {
    scenario: { type: 'string' },
    seed: { type: 'string' },
    count: { type: 'string', default: '1' },
    trace: { type: 'boolean', default: false },
  },
});
const chosen = SCENARIOS.filter(({ name }) => values.scenario === 'all' || name === values.scenario);
if (chosen.length === 0) throw new Error(`there is no scenario ${values.scenario}`);
for (const scenario of chosen) {
const line = values.trace ? (text: string) => void process.stdout.write(`${text}\n`) : undefined;
const first = Number(values.seed);
const cpu = process.cpuUsage();
let steps = 0;
const n = Number(values.count);
const sum: Record<string, number> = {};
const found: Record<string, number> = {};
for (let seed = first; seed < first + n; seed += 1) {
  const verdict = await play(scenario, seed, line);
  steps += verdict.steps;
  for (const [k, v] of Object.entries(verdict.counts)) sum[k] = (sum[k] ?? 0) + v;
  if (verdict.violation) {
    const kind = verdict.violation.replace(/\d+/g, 'N');
    if (!found[kind]) process.stdout.write(`${seed} ${verdict.hash}: ${verdict.violation}\n`);
    found[kind] = (found[kind] ?? 0) + 1;
  }
}
const s = process.cpuUsage(cpu).user / 1e6;
if (chosen.length === 1) process.stdout.write(`${JSON.stringify(sum)}\n`);
process.stdout.write(`${JSON.stringify(found, null, 1)}\n`);
process.stdout.write(`${scenario.name}: ${n} schedules, ${steps} steps, ${s.toFixed(2)} CPU s, ${(n / s).toFixed(1)} per CPU s\n`);
}
