import { exactness } from '../checks/exactness.ts';
import type { Lab } from '../lab.ts';
import { measureDisk } from '../measuring/disk-floor.ts';
import { bytesWritten } from '../measuring/process-use.ts';
import { compare, interleave, type Read } from '../measuring/rounds.ts';
import { amount } from '../report/print-row.ts';
import { atLeast } from '../report/row.ts';
import { type Cell, rowFrom, voided } from './cell.ts';
import { cycles, openOurs } from './contenders.ts';

const GOALS = [
  { inFlight: 16, goal: atLeast(3) },
  { inFlight: 64, goal: atLeast(6) },
] as const;

export const P2: Cell = {
  title: 'durable efficiency: cycles per sync that the disk can do',
  minutes: ({ rounds, isQuick }) => (isQuick ? 0.5 : 2) + rounds * (isQuick ? 0.3 : 0.7),
  async run(lab, stack) {
    const { rounds, sizes } = lab.options;
    const ours = await openOurs(lab, stack, { inFlight: 64 });
    const written = { bytes: 0, cycles: 0 };
    const variants = GOALS.map(({ inFlight }): Read => {
      const read = cycles(lab, ours, {
        inFlight,
        waiting: sizes.waiting,
        fused: true,
        label: `${inFlight} in flight`,
      });
      return async () => {
        const before = bytesWritten(ours.hall.pid);
        const reading = await read();
        written.bytes += bytesWritten(ours.hall.pid) - before;
        written.cycles += reading.value * (sizes.reading + sizes.warmUp);
        return reading;
      };
    });
    const found = await interleave(rounds, variants, [floor(lab)]);
    await ours.closed();
    const fault = await exactness(lab, ours);
    const rows = GOALS.flatMap(({ inFlight, goal }, v) => {
      const beside = found[v]?.[0] ?? [];
      const measure = `cycles compared with raw fdatasync, ${inFlight} in flight, fused`;
      return [
        rowFrom({ cell: 'P2', measure, unit: '/s', goal }, compare(beside), {
          ours: 'ours',
          peer: 'fdatasync, appending',
        }),
        rowFrom(
          { cell: 'P2', measure, unit: '/s', note: `about ${perCycle(written)} written per cycle` },
          compare(beside.map((each) => ({ ...each, peer: recycledOf(each.peer) }))),
          { ours: 'ours', peer: 'fdatasync, recycled file' },
        ),
      ];
    });
    return {
      rows: voided(rows, fault.fault),
      checks: [{ cell: 'P2', what: 'exactness', ...fault }],
      leftOut: [],
    };
  },
};

function floor({ folder, options, progress }: Lab): Read {
  return async () => {
    const { appending, recycled, recycledFully } = measureDisk(folder, options.sizes.floor);
    progress.say(
      `  fdatasync: ${amount(appending, '/s')} appending, ${amount(recycled, '/s')} recycled; ` +
        `fsync: ${amount(recycledFully, '/s')} recycled`,
    );
    return { value: appending, second: recycled };
  };
}

function recycledOf(reading: { readonly value: number; readonly second?: number | undefined }) {
  return { ...reading, value: reading.second ?? Number.NaN };
}

/** Includes what the fill before each reading wrote, so it is only an upper bound. */
function perCycle({ bytes, cycles: count }: { bytes: number; cycles: number }): string {
  return `${Math.round(bytes / count / 1024)} KB`;
}
