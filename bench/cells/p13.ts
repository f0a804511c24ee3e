import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Simulated } from '../drivers/simulate.ts';
import type { Lab } from '../lab.ts';
import { spreadOf } from '../measuring/spread.ts';
import { BENCH, ROOT } from '../places.ts';
import { amount } from '../report/print-row.ts';
import { atLeast } from '../report/row.ts';
import type { Cell } from './cell.ts';

const SIMULATION = join(ROOT, 'test/simulation');
const run = promisify(execFile);

export const P13: Cell = {
  title: 'simulation',
  minutes: ({ rounds, isQuick }) => rounds * (isQuick ? 0.15 : 0.4),
  async run(lab) {
    if (!existsSync(join(SIMULATION, 'schedule.ts'))) {
      return { rows: [], checks: [], leftOut: ['this source tree has no simulation'] };
    }
    const found: Simulated[] = [];
    for (let round = 0; round < lab.options.rounds; round += 1)
      found.push(await simulate(lab, round));
    const schedules = found.reduce((sum, each) => sum + each.schedules, 0);
    const steps = found.reduce((sum, each) => sum + each.steps, 0);
    return {
      rows: [
        {
          cell: 'P13',
          measure: 'simulation schedules per second on one core',
          unit: '/s',
          ours: { name: 'ours', value: spreadOf(found.map(rateOf)) },
          goal: atLeast(70, 'ours'),
          note: `${schedules} schedules of ${Math.round(steps / schedules)} steps`,
        },
      ],
      checks: [
        {
          cell: 'P13',
          what: 'no schedule violates an invariant',
          fault: found.flatMap(({ violations }) => violations)[0],
          seen: `${schedules} schedules`,
        },
      ],
      leftOut: [],
    };
  },
};

async function simulate({ options, progress }: Lab, round: number): Promise<Simulated> {
  const script = join(BENCH, 'drivers/simulate.ts');
  const first = 1 + round * 10_000;
  const args = [script, SIMULATION, String(options.sizes.simulate), String(first)];
  const { stdout } = await run(process.execPath, args);
  const simulated = JSON.parse(stdout) as Simulated;
  progress.say(`  ${amount(rateOf(simulated), '/s')} schedules`);
  return simulated;
}

function rateOf({ schedules, cpuSeconds }: Simulated): number {
  return schedules / cpuSeconds;
}
