import { rmSync } from 'node:fs';
import type { Cell, Outcome } from './cells/cell.ts';
import { P1 } from './cells/p1.ts';
import { P2 } from './cells/p2.ts';
import { P3 } from './cells/p3.ts';
import { P4 } from './cells/p4.ts';
import { P5 } from './cells/p5.ts';
import { P6 } from './cells/p6.ts';
import { P7 } from './cells/p7.ts';
import { P8 } from './cells/p8.ts';
import { P9 } from './cells/p9.ts';
import { P10 } from './cells/p10.ts';
import { P12 } from './cells/p12.ts';
import { P13 } from './cells/p13.ts';
import { P16 } from './cells/p16.ts';
import { P17 } from './cells/p17.ts';
import { installPeers } from './install-peers.ts';
import { type Lab, openLab } from './lab.ts';
import { type CellName, type Options, optionsFrom, USAGE } from './options.ts';
import { conditions } from './report/conditions.ts';
import { printCheck, printRow } from './report/print-row.ts';
import { createProgress, type Progress } from './report/progress.ts';
import { type Result, saveResults } from './report/results.ts';
import { verdictOn } from './report/row.ts';
import { soak } from './soak/run.ts';

const CELLS: Readonly<Record<CellName, Cell>> = {
  P1,
  P2,
  P3,
  P4,
  P5,
  P6,
  P7,
  P8,
  P9,
  P10,
  P12,
  P13,
  P16,
  P17,
};

async function main(argv: readonly string[]): Promise<number> {
  const options = optionsFrom(argv);
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  const progress = createProgress(options.json);
  announce(options, progress);
  installPeers(progress);
  const lab = await openLab(options, progress);
  giveUpOnSignals(lab);
  try {
    const where = conditions(lab);
    for (const [name, value] of Object.entries(where)) progress.say(`${name}: ${value}`);
    const results: Result[] = [];
    const begun = { at: new Date(), conditions: where };
    for (const name of options.cells) {
      results.push(await runCell(lab, name));
      progress.say(`results written to ${await saveResults(begun, options, results)}`);
    }
    report(options, progress, results);
    return results.some(({ failed }) => failed !== null) ? 1 : 0;
  } finally {
    await lab.close();
  }
}

function announce({ cells, rounds, isQuick }: Options, progress: Progress): void {
  const minutes = cells.reduce((sum, name) => sum + CELLS[name].minutes({ rounds, isQuick }), 0);
  progress.say(
    `${cells.join(', ')}: ${rounds} rounds${isQuick ? ' with small sizes' : ''}, about ` +
      `${Math.ceil(minutes)} minutes on a quiet machine with two cores`,
  );
}

/** The stores of an interrupted run may be gigabytes; the servers are killed when this process exits. */
function giveUpOnSignals({ folder }: Lab): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      rmSync(folder, { recursive: true, force: true });
      process.exit(INTERRUPTED);
    });
  }
}

const INTERRUPTED = 130;

async function runCell(lab: Lab, name: CellName): Promise<Result> {
  const cell = CELLS[name];
  lab.progress.say(`${name} ${cell.title}`);
  await using stack = new AsyncDisposableStack();
  try {
    const outcome = await cell.run(lab, stack);
    return { name, title: cell.title, failed: null, ...outcome };
  } catch (fault) {
    const failed = fault instanceof Error ? fault.message : String(fault);
    lab.progress.say(`${name} could not be measured: ${failed}`);
    return { name, title: cell.title, failed, ...NOTHING };
  }
}

const NOTHING: Outcome = { rows: [], checks: [], leftOut: [] };

function report({ json }: Options, progress: Progress, results: readonly Result[]): void {
  if (json) {
    console.log(JSON.stringify(results, null, 2));
    return;
  }
  console.log('');
  for (const { name, rows, checks, leftOut, failed } of results) {
    for (const row of rows) console.log(printRow(row));
    for (const check of checks) console.log(printCheck(check));
    for (const what of leftOut) console.log(`${name.padEnd(4)}left out: ${what}`);
    if (failed !== null) console.log(`${name.padEnd(4)}could not be measured: ${failed}`);
  }
  const verdicts = results.flatMap(({ rows }) => rows.map((row) => verdictOn(row)));
  const count = (verdict: string) => verdicts.filter((each) => each === verdict).length;
  progress.say(`goals met ${count('ok')}, missed ${count('off')}, void ${count('void')}`);
}

const [first, ...rest] = process.argv.slice(2);
process.exitCode = first === 'soak' ? await soak(rest) : await main(process.argv.slice(2));
