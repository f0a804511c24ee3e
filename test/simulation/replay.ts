import { parseArgs } from 'node:util';
import { loadPatched } from './patching.ts';
import { VARIANTS } from './variants.ts';

/** Tells one story again, or several: `node test/simulation/replay.ts --scenario X --seed N --trace`. */
const { values } = parseArgs({
  options: {
    scenario: { type: 'string' },
    seed: { type: 'string', default: '1' },
    /** How many seeds from there on. */
    count: { type: 'string', default: '1' },
    variant: { type: 'string' },
    trace: { type: 'boolean', default: false },
  },
});

const variant = VARIANTS.find(({ name }) => name === values.variant);
if (values.variant !== undefined && !variant) throw new Error(`no variant ${values.variant}`);
if (variant) loadPatched(variant.patches);

// The product is loaded only after it was patched.
const { scenarioCalled, scenarioOf } = await import('./campaign.ts');
const { play } = await import('./schedule.ts');

const name = values.scenario ?? variant?.scenario;
const first = Number(values.seed);
const last = first + Number(values.count) - 1;
const line = values.trace ? say : undefined;
const started = process.cpuUsage();
let wrong = 0;
let steps = 0;
for (let seed = first; seed <= last; seed += 1) {
  const scenario = name === undefined ? scenarioOf(seed) : scenarioCalled(name);
  const verdict = await play(scenario, seed, line);
  steps += verdict.steps;
  if (first === last) say(`${scenario.name} ${seed}: ${JSON.stringify(verdict, null, 1)}`);
  if (verdict.violation === undefined) continue;
  wrong += 1;
  say(`${scenario.name} ${seed} ${verdict.hash}: ${verdict.violation}`);
}
const seconds = process.cpuUsage(started).user / 1e6;
const stories = last - first + 1;
say(
  `${stories} stories, ${wrong} wrong, ${steps} steps, ${(stories / seconds).toFixed(0)} per CPU second`,
);
if (wrong > 0) process.exitCode = 1;

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
