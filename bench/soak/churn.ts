import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HallProcess } from '../../test/support/hall-process.ts';
import { keepsItsWord, nothingPromised, verify, work } from '../../test/support/kept-promises.ts';
import type { Part } from './part.ts';

const CLIENTS = 16;
const SAMPLES = 30;

interface Sample {
  readonly completed: number;
  readonly residentMb: number;
  readonly files: number;
  readonly walMb: number;
}

/** Posting, claiming and completing at full speed: the rate stays flat, and memory, files and log stay bounded. */
export const churn: Part = async ({ churnMinutes }, say) => {
  await using hall = await HallProcess.start({ projects: { shop: 50 } });
  const promised = nothingPromised();
  const over = new AbortController();
  const clients = Array.from({ length: CLIENTS }, () => work(hall, promised, over.signal));
  const samples: Sample[] = [];
  for (let n = 0; n < SAMPLES; n += 1) {
    await sleep((churnMinutes * 60_000) / SAMPLES);
    samples.push(sampleOf(hall, promised.completed.size));
    say(`churn: ${promised.completed.size} tasks`);
  }
  over.abort();
  await Promise.all(clients);
  await keepsItsWord(hall, promised);
  await hall.stop();
  verify(hall);
  return figuresOf(samples, (churnMinutes * 60) / SAMPLES);
};

function sampleOf({ pid, folder }: HallProcess, completed: number): Sample {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
  const wal = statSync(join(folder, 'data', 'hall.db-wal'), { throwIfNoEntry: false });
  return {
    completed,
    residentMb: (pages * 4_096) / 2 ** 20,
    files: readdirSync(`/proc/${pid}/fd`).length,
    walMb: (wal?.size ?? 0) / 2 ** 20,
  };
}

function figuresOf(samples: readonly Sample[], seconds: number) {
  const third = Math.floor(samples.length / 3);
  const at = (n: number) => samples.at(n)?.completed ?? 0;
  const most = (of: (sample: Sample) => number) => Math.round(Math.max(...samples.map(of)));
  return {
    tasks: at(-1),
    'tasks/s, first third': Math.round(at(third - 1) / (third * seconds)),
    'tasks/s, last third': Math.round((at(-1) - at(-1 - third)) / (third * seconds)),
    'resident MB, most': most(({ residentMb }) => residentMb),
    'open files, most': most(({ files }) => files),
    'write-ahead log MB, most': most(({ walMb }) => walMb),
    lost: 0,
  };
}
