import assert from 'node:assert/strict';
import { describe } from 'node:test';
import {
  type CellFixture,
  cellFixture,
  processesWith,
  sh,
  sleepersWith,
  uniqueSleep,
  until,
} from '../support/cell-fixture.ts';
import { type CellKind, NO_LIMITS, testsWith } from '../support/cell-kinds.ts';

const MEGABYTE = 1024 ** 2;

/** The limits that a kind of cell enforces; it lists the others as gaps. */
export function cellLimitsContract(kind: CellKind): void {
  describe(`limits in cells of the kind ${kind.name}`, () => {
    const withCells = testsWith(kind);

    function it(title: string, act: (fixture: CellFixture) => Promise<void>, gap?: RegExp): void {
      withCells(title, async (cells, t) => {
        const open = cells.gaps.find((each) => gap?.test(each));
        if (open !== undefined) return t.skip(`health says: ${open}`);
        await using fixture = cellFixture(cells);
        await act(fixture);
      });
    }

    it('a run that exceeds its memory limit is ended, and its neighbour continues', async (fixture) => {
      const hungry = await fixture.cell({ limits: { ...NO_LIMITS, memoryBytes: 128 * MEGABYTE } });
      const end = await besideANeighbour(fixture, () => sh(hungry, HOG));
      assert.deepEqual({ code: end.code, limit: end.limit }, { code: null, limit: 'memoryBytes' });
    });

    it('a fork bomb is ended by the process limit, and its neighbour continues', async (fixture) => {
      const bomb = await fixture.cell({ limits: { ...NO_LIMITS, pids: 64 } });
      const length = uniqueSleep();
      const end = await besideANeighbour(fixture, () => sh(bomb, forkBomb(length)));
      assert.deepEqual({ code: end.code, limit: end.limit }, { code: null, limit: 'pids' });
      assert.deepEqual(processesWith(length), []);
    });

    it(
      'a run gets no more than its share of the CPU, and continues',
      async (fixture) => {
        const slowed = await fixture.cell({ limits: { ...NO_LIMITS, cpus: 0.25 } });
        const { out, code } = await sh(slowed, BUSY);
        assert.equal(code, 0);
        const [used = 0, passed = 1] = out.split(' ').map(Number);
        assert.equal(used / passed < 0.5, true, out);
      },
      /cpus/,
    );

    it('a run within its limits is not affected by them', async (fixture) => {
      const limits = { cpus: 2, memoryBytes: 512 * MEGABYTE, pids: 200 };
      const cell = await fixture.cell({ limits });
      const end = await sh(cell, 'node -e "console.log(1 + 1)"');
      assert.deepEqual(end, { out: '2\n', err: '', code: 0, signal: null, limit: null });
    });

    it('a limit that one run exceeded does not end the next run', async (fixture) => {
      const limits = { ...NO_LIMITS, pids: 64 };
      assert.equal((await sh(await fixture.cell({ limits }), forkBomb('9'))).limit, 'pids');
      assert.equal((await sh(await fixture.cell({ limits }), 'true')).code, 0);
    });
  });
}

/** Allocates 8 MiB every 20 ms and writes to it, so the kernel must provide the memory. */
const HOG = `node -e 'const held = []; setInterval(() => held.push(Buffer.alloc(8 * 1024 ** 2, 1)), 20)'`;

/** Starts more and more programs and ignores those that cannot be started. */
function forkBomb(length: string): string {
  const more = `require("node:child_process").spawn("sleep", ["${length}"]).on("error", () => 0)`;
  return `node -e 'setInterval(() => ${more}, 2)'`;
}

/** Works for 1.5 s of wall time and prints its CPU seconds and the wall time. */
const BUSY = `node -e '
  const end = performance.now() + 1500;
  const before = process.cpuUsage();
  while (performance.now() < end);
  const { user, system } = process.cpuUsage(before);
  process.stdout.write((user + system) / 1e6 + " 1.5")'`;

async function besideANeighbour<T>(fixture: CellFixture, act: () => Promise<T>): Promise<T> {
  const neighbour = await fixture.cell();
  const length = uniqueSleep();
  const busy = neighbour.start({ argv: ['sh', '-c', `sleep ${length} & read go`], env: {} });
  await until(() => sleepersWith(length).length > 0);
  const result = await act();
  busy.stdin.write('go\n');
  assert.equal((await busy.ended).code, 0);
  return result;
}
