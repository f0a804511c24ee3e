import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { FULL, QUICK, type Sizes } from './sizes.ts';

export const CELLS = [
  'P1',
  'P2',
  'P3',
  'P4',
  'P5',
  'P6',
  'P7',
  'P8',
  'P9',
  'P10',
  'P12',
  'P13',
  'P16',
  'P17',
] as const;
export type CellName = (typeof CELLS)[number];

export interface Options {
  readonly cells: readonly CellName[];
  readonly rounds: number;
  readonly sizes: Sizes;
  readonly isQuick: boolean;
  /** Print the results as JSON on standard output, and everything else on standard error. */
  readonly json: boolean;
  /** Folder for a CPU profile of the hall, if requested. */
  readonly profile: string | null;
  readonly help: boolean;
}

export const USAGE = `npm run bench -- [options]

  --quick          small sizes, two rounds: minutes instead of hours
  --cells P1,P4    only these cells (default: ${CELLS.join(', ')})
  --rounds N       interleaved rounds of each cell (default: 5; with --quick: 2)
  --profile DIR    write a CPU profile of the hall to this folder
  --json           results as JSON on standard output, progress on standard error
  --help

npm run bench -- soak --help shows the long runs with faults.`;

export function optionsFrom(argv: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      quick: { type: 'boolean', default: false },
      cells: { type: 'string' },
      rounds: { type: 'string' },
      profile: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  return {
    cells: values.cells === undefined ? CELLS : values.cells.split(',').map(cellNamed),
    rounds: values.rounds === undefined ? defaultRounds(values.quick) : roundsIn(values.rounds),
    sizes: values.quick ? QUICK : FULL,
    isQuick: values.quick,
    json: values.json,
    profile: values.profile === undefined ? null : resolve(values.profile),
    help: values.help,
  };
}

function defaultRounds(isQuick: boolean): number {
  return isQuick ? 2 : 5;
}

function cellNamed(name: string): CellName {
  const found = CELLS.find((cell) => cell === name.trim().toUpperCase());
  if (!found) throw new Error(`there is no cell ${name}; the cells are ${CELLS.join(', ')}`);
  return found;
}

function roundsIn(text: string): number {
  const rounds = Number(text);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new Error('--rounds must be a whole number, 1 or more');
  return rounds;
}
