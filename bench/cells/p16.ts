import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { spreadOf } from '../measuring/spread.ts';
import { isBuilt, ROOT } from '../places.ts';
import { amount } from '../report/print-row.ts';
import { atMost } from '../report/row.ts';
import { startHall } from '../servers/hall.ts';
import { slotsFor } from '../store/workload.ts';
import type { Cell } from './cell.ts';

const COMMANDS = [
  'version',
  'help',
  'board',
  'task list',
  'project add',
  'config show',
  'completion bash',
];
const TIMES = 10;

/** Milliseconds of processor time. Only the sources have to be stripped of their types. */
const goal = () => atMost(isBuilt() ? 250 : 400, 'ours');

export const P16: Cell = {
  title: 'processor time of short commands',
  minutes: ({ rounds }) => rounds * 0.4,
  async run(lab, stack) {
    const folder = await lab.room();
    const hall = await startHall({ folder, store: 'sqlite', slots: slotsFor(1) });
    stack.defer(() => hall.stop());
    const found = new Map(COMMANDS.map((command) => [command, [] as number[]]));
    for (let round = 0; round < lab.options.rounds; round += 1) {
      for (const [command, medians] of found) medians.push(measure(command, folder));
    }
    for (const [command, medians] of found)
      lab.progress.say(`  ${command}: ${amount(spreadOf(medians).median, 'ms')}`);
    return {
      rows: [...found].map(([command, medians]) => ({
        cell: 'P16',
        measure: `processor time of "guildhall ${command}"`,
        unit: 'ms',
        ours: { name: 'ours', value: spreadOf(medians) },
        goal: goal(),
        note: `${TIMES} times in each round, after one to fill the compile cache`,
      })),
      checks: [],
      leftOut: [],
    };
  },
};

let added = 0;

function measure(command: string, folder: string): number {
  const line = () => [...command.split(' '), ...(command === 'project add' ? [`p${++added}`] : [])];
  processorTime(line(), folder);
  return spreadOf(Array.from({ length: TIMES }, () => processorTime(line(), folder))).median;
}

/** User and system time, by bash: its clock has milliseconds, that of /proc has hundredths of a second. */
function processorTime(args: readonly string[], cwd: string): number {
  const script = 'TIMEFORMAT="%3U %3S"; time "$@" >/dev/null';
  const command = [process.execPath, join(ROOT, 'bin/guildhall.js'), ...args];
  const { status, stderr } = spawnSync('bash', ['-c', script, 'bash', ...command], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, BENCH_CREDENTIAL: 'none-is-needed' },
  });
  const [user, system] = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number);
  if (status !== 0 || user === undefined || system === undefined) {
    throw new Error(`guildhall ${args.join(' ')} ended with ${status}: ${stderr}`);
  }
  return (user + system) * 1_000;
}
