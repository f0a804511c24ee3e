import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CellFixture,
  cellFixture,
  processesWith,
  programsWith,
  run,
  sh,
  sleepersWith,
  uniqueSleep,
  until,
  untilPrinted,
} from '../support/cell-fixture.ts';
import { type CellKind, testsWith } from '../support/cell-kinds.ts';
import { startParent } from '../support/start-parent.ts';
import { httpOn } from '../support/unix-http.ts';

const MEGABYTE = 1024 ** 2;

/** What every kind of cell promises, and what those with isolation also promise. */
export function cellsContract(kind: CellKind): void {
  describe(`cells of the kind ${kind.name}`, () => {
    const withCells = testsWith(kind);

    function it(title: string, act: (fixture: CellFixture) => Promise<void>): void {
      withCells(title, async (cells) => {
        await using fixture = cellFixture(cells);
        await act(fixture);
      });
    }

    programs(it);
    streams(it);
    folders(it);
    proxies(it);
    if (kind.keeps.wholeTree) endings(it, kind);
    if (kind.keeps.isolates) isolation(it);
  });
}

type It = (title: string, act: (fixture: CellFixture) => Promise<void>) => void;

function programs(it: It): void {
  it('a program ends with its own exit code', async (fixture) => {
    const cell = await fixture.cell();
    assert.deepEqual(await run(cell, ['true']), {
      out: '',
      err: '',
      code: 0,
      signal: null,
      limit: null,
    });
    assert.equal((await sh(cell, 'exit 7')).code, 7);
  });

  it('a missing program ends with exit code 127', async (fixture) => {
    assert.equal((await run(await fixture.cell(), ['no-such-program'])).code, 127);
  });

  it('a program gets the requested environment, plus PATH and HOME', async (fixture) => {
    const cell = await fixture.cell();
    const { out } = await run(cell, ['env'], { WORD: 'two words\nand a line', EMPTY: '' });
    const names = out.split('\n').filter((line) => line.startsWith('PATH='));
    assert.equal(names.length, 1);
    const rest = out
      .split('\n')
      .filter((line) => line !== '' && !/^(PATH|GUILDHALL_CELL)=/.test(line));
    assert.deepEqual(
      rest.sort(),
      [`HOME=${cell.paths.home}`, 'EMPTY=', 'WORD=two words', 'and a line'].sort(),
    );
  });

  it('a program starts in the work folder unless another folder is requested', async (fixture) => {
    const cell = await fixture.cell();
    assert.equal((await run(cell, ['pwd'])).out.trim(), cell.paths.work);
    const elsewhere = cell.start({ argv: ['pwd'], env: {}, cwd: cell.paths.home });
    assert.equal((await text(elsewhere.stdout)).trim(), cell.paths.home);
  });

  it('programs in one cell run side by side and end independently', async (fixture) => {
    const cell = await fixture.cell();
    const waiting = cell.start({ argv: ['cat'], env: {} });
    assert.equal((await run(cell, ['true'])).code, 0);
    waiting.stdin.write('still here');
    waiting.stdin.end();
    assert.equal(await text(waiting.stdout), 'still here');
    assert.equal((await waiting.ended).code, 0);
  });

  it('a killed program ends by SIGKILL', async (fixture) => {
    const cell = await fixture.cell();
    const program = cell.start({ argv: ['sh', '-c', 'echo ready; sleep 1000'], env: {} });
    await untilPrinted(program, 'ready');
    program.kill();
    assert.deepEqual(await program.ended, { code: null, signal: 'SIGKILL', limit: null });
  });

  it('a program killed right after its start ends', async (fixture) => {
    const cell = await fixture.cell();
    const program = cell.start({ argv: ['sleep', '1000'], env: {} });
    program.kill();
    assert.equal((await program.ended).code === 0, false);
  });

  it('closing a cell ends its programs, even with unread output', async (fixture) => {
    const length = uniqueSleep();
    const cell = await fixture.cell();
    const script = `yes | head -c 1000000; sleep ${length}`;
    const program = cell.start({ argv: ['sh', '-c', script], env: {} });
    await cell[Symbol.asyncDispose]();
    assert.equal((await program.ended).signal, 'SIGKILL');
    assert.deepEqual(processesWith(length), []);
  });
}

function streams(it: It): void {
  it('a program receives its whole input and its whole output is received', async (fixture) => {
    const cell = await fixture.cell();
    const program = cell.start({ argv: ['cat'], env: {} });
    const bytes = Buffer.alloc(8 * MEGABYTE, 'the quick brown fox ');
    program.stdin.write(bytes);
    program.stdin.end();
    assert.equal(digest(await text(program.stdout)), digest(bytes.toString()));
  });

  it('standard output and standard error are complete and separate', async (fixture) => {
    const cell = await fixture.cell();
    const script = `
      yes out | head -c ${8 * MEGABYTE} & yes error | head -c ${8 * MEGABYTE} >&2; wait`;
    const { out, err } = await sh(cell, script);
    assert.equal(out, 'out\n'.repeat(2 * MEGABYTE));
    assert.equal(err.length, 8 * MEGABYTE);
    assert.equal(err.replaceAll('error\n', ''), 'error\n'.slice(0, (8 * MEGABYTE) % 6));
  });

  it('output can be read after the program has ended', async (fixture) => {
    const cell = await fixture.cell();
    const program = cell.start({ argv: ['sh', '-c', 'echo said; echo wrong >&2'], env: {} });
    await program.ended;
    assert.equal(await text(program.stdout), 'said\n');
    assert.equal(await text(program.stderr), 'wrong\n');
  });

  it('a program may end without reading its input', async (fixture) => {
    const cell = await fixture.cell();
    const program = cell.start({ argv: ['true'], env: {} });
    program.stdin.write(Buffer.alloc(MEGABYTE));
    assert.equal((await program.ended).code, 0);
    program.stdin.write('too late');
    program.stdin.end();
  });
}

function folders(it: It): void {
  it('the host sees what programs write in work and home', async (fixture) => {
    const cell = await fixture.cell();
    const script = `echo done > ${cell.paths.work}/result && echo kept > "$HOME/.cache"`;
    assert.equal((await sh(cell, script)).code, 0);
    const result = cell.onHost(`${cell.paths.work}/result`) ?? '';
    assert.equal(readFileSync(result, 'utf8'), 'done\n');
    assert.equal(readFileSync(cell.onHost(`${cell.paths.home}/.cache`) ?? '', 'utf8'), 'kept\n');
  });

  it('work and home belong to the user that the programs run as', async (fixture) => {
    const cell = await fixture.cell();
    const { work, home } = cell.paths;
    const { out } = await sh(cell, `touch mine; id -u; stat -c %u ${work} "$HOME" mine`);
    assert.equal(new Set(out.trim().split('\n')).size, 1, out);
    const seen = [work, home, `${work}/mine`].map((path) => statSync(cell.onHost(path) ?? ''));
    assert.equal(new Set(seen.map(({ uid }) => uid)).size, 1);
    assert.deepEqual(
      seen.slice(0, 2).map(({ mode }) => mode & 0o077),
      [0, 0],
    );
  });

  it('a cell in the folder of a closed cell can use the files there', async (fixture) => {
    const first = await fixture.cell();
    assert.equal(
      (await sh(first, 'umask 077; mkdir own; echo 1 > own/a; id -u > own/who')).code,
      0,
    );
    await first[Symbol.asyncDispose]();
    const folder = join(first.onHost(first.paths.work) ?? assert.fail('no folder'), '..');
    const again = await fixture.cell({ folder });
    const { out } = await sh(
      again,
      'echo 2 >> own/a; cat own/a; id -u | cmp - own/who && echo same',
    );
    assert.equal(out, '1\n2\nsame\n');
  });

  it('programs can read what the host writes into work', async (fixture) => {
    const cell = await fixture.cell();
    writeFileSync(cell.onHost(`${cell.paths.work}/given`) ?? '', 'from the host');
    assert.equal((await run(cell, ['cat', 'given'])).out, 'from the host');
  });

  it('paths outside the cell do not map to the host', async (fixture) => {
    const cell = await fixture.cell();
    const { work, home } = cell.paths;
    const foreign = ['/', '/etc/passwd', '/proc/self', `${work}/../../etc`, `${home}/../../..`];
    for (const path of foreign) assert.equal(cell.onHost(path), undefined, path);
    assert.equal(cell.onHost(`${work}/a/../b`), cell.onHost(`${work}/b`));
  });
}

function proxies(it: It): void {
  it('proxies lead to their sockets, and without a socket there is no proxy', async (fixture) => {
    await using gateway = await httpOn(join(fixture.folder, 'gateway.sock'), 'the gateway');
    await using egress = await httpOn(join(fixture.folder, 'egress.sock'), 'the proxy');
    const none = await fixture.cell();
    assert.deepEqual(none.proxies, { gateway: null, egress: null });

    const cell = await fixture.cell({ sockets: { gateway: gateway.path, egress: egress.path } });
    for (const [proxy, answer] of [
      [cell.proxies.gateway, 'the gateway got'],
      [cell.proxies.egress, 'the proxy got'],
    ]) {
      assert.equal((await fetchInside(cell, `${proxy}/x`)).out, `${answer} /x`);
    }
  });

  it('programs in a cell with a proxy keep their streams, exit code and environment', async (fixture) => {
    await using gateway = await httpOn(join(fixture.folder, 'gateway.sock'), 'the gateway');
    const cell = await fixture.cell({ sockets: { gateway: gateway.path } });
    const program = cell.start({ argv: ['sh', '-c', 'cat; echo oops >&2; exit 9'], env: {} });
    program.stdin.write(Buffer.alloc(4 * MEGABYTE, 'x'));
    program.stdin.end();
    assert.equal((await text(program.stdout)).length, 4 * MEGABYTE);
    assert.equal(await text(program.stderr), 'oops\n');
    assert.equal((await program.ended).code, 9);

    assert.equal((await run(cell, ['no-such-program'])).code, 127);
    const { out } = await run(cell, ['env'], { GIVEN: 'x' });
    const names = out.split('\n').map((line) => line.split('=')[0]);
    const given = names.filter((name) => name && name !== 'GUILDHALL_CELL');
    assert.deepEqual(given.sort(), ['GIVEN', 'HOME', 'PATH']);
  });
}

function fetchInside(cell: Awaited<ReturnType<CellFixture['cell']>>, url: string) {
  const script = `fetch(process.argv[1]).then((a) => a.text()).then((t) => process.stdout.write(t))`;
  return run(cell, ['node', '-e', script, url]);
}

/** Leaves the session and the process group, forks twice and ignores SIGTERM. */
function runaway(length: string): string {
  const stubborn = `trap "" TERM HUP; sleep ${length}`;
  return `setsid nohup sh -c '${stubborn} & ${stubborn}' >/dev/null 2>&1 </dev/null &`;
}

function endings(it: It, kind: CellKind): void {
  it('R26: child processes of a program are dead once the program has ended', async (fixture) => {
    const length = uniqueSleep();
    const cell = await fixture.cell();
    const program = cell.start({ argv: ['sh', '-c', `${runaway(length)} read go`], env: {} });
    await until(() => sleepersWith(length).length === 2);
    program.stdin.write('go\n');
    program.stdin.end();
    assert.equal((await program.ended).code, 0);
    assert.deepEqual(processesWith(length), []);
  });

  it('R26: child processes of a program are dead once the program is killed', async (fixture) => {
    const length = uniqueSleep();
    const cell = await fixture.cell();
    const program = cell.start({ argv: ['sh', '-c', `${runaway(length)} read go`], env: {} });
    await until(() => sleepersWith(length).length === 2);
    program.kill();
    await program.ended;
    assert.deepEqual(processesWith(length), []);
  });

  it('R26: child processes of a program are dead once the cell is closed', async (fixture) => {
    const length = uniqueSleep();
    const cell = await fixture.cell();
    cell.start({ argv: ['sh', '-c', `${runaway(length)} read go`], env: {} });
    await until(() => sleepersWith(length).length === 2);
    await cell[Symbol.asyncDispose]();
    assert.deepEqual(processesWith(length), []);
  });

  it('R26: a worker killed by SIGKILL leaves no process alive', async ({ folder }) => {
    const length = uniqueSleep();
    const script = `${runaway(length)} echo ready; sleep ${length}`;
    const parent = startParent(kind, script, folder);
    await until(() => sleepersWith(length).length === 3);
    parent.kill('SIGKILL');
    await until(() => processesWith(length).length === 0);
  });

  it('R26: a worker killed while it starts a program leaves no process alive', async ({
    folder,
  }) => {
    const length = uniqueSleep();
    await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const parent = startParent(kind, `sleep ${length}`, folder);
        await once(parent.stdout, 'data');
        await sleep(n * 5);
        parent.kill('SIGKILL');
        await once(parent, 'exit');
      }),
    );
    await until(() => programsWith(length).length === 0);
    // A process that was not a program yet ends when the next worker starts, if not before.
    await kind.build();
    await until(() => processesWith(length).length === 0);
  });

  it('R26: a program killed while it starts leaves no process alive', async (fixture) => {
    const cell = await fixture.cell();
    const length = uniqueSleep();
    for (let delay = 0; delay < 40; delay += 3) {
      const program = cell.start({ argv: ['sleep', length], env: {} });
      await sleep(delay);
      program.kill();
      assert.equal((await program.ended).signal, 'SIGKILL');
      assert.deepEqual(processesWith(length), []);
    }
  });
}

function isolation(it: It): void {
  it('R26: no program is root in a cell whose worker was killed before it changed the owner of its folders', async (fixture) => {
    const folder = join(fixture.folder, 'begun');
    mkdirSync(join(folder, 'work'), { recursive: true });
    const { out } = await sh(await fixture.cell({ folder }), 'id -u; touch x; stat -c %u x');
    const [inside, owner] = out.trim().split('\n');
    assert.equal(inside, owner);
    assert.notEqual(inside, '0');
  });

  it('a readable path is mounted at its target and cannot be written', async (fixture) => {
    const from = join(fixture.folder, 'objects');
    writeFileSync(from, 'shared');
    const cell = await fixture.cell({ readable: [{ from, to: '/srv/mirror/objects' }] });
    assert.equal((await run(cell, ['cat', '/srv/mirror/objects'])).out, 'shared');
    assert.equal((await sh(cell, 'echo more >> /srv/mirror/objects')).code === 0, false);
    assert.equal(readFileSync(from, 'utf8'), 'shared');
  });

  it('two cells see neither the files nor the processes of each other', async (fixture) => {
    const [first, second] = [await fixture.cell(), await fixture.cell()];
    const length = uniqueSleep();
    const script = `echo mine > secret; echo mine > /tmp/secret; echo ready; sleep ${length}`;
    const busy = first.start({ argv: ['sh', '-c', script], env: {} });
    await untilPrinted(busy, 'ready');
    const look = await sh(second, 'ls /tmp /work "$HOME"; cat /proc/[0-9]*/cmdline | tr "\\0" " "');
    assert.equal(look.out.includes('secret'), false, look.out);
    assert.equal(look.out.includes(length), false, look.out);
    assert.equal(existsSync(first.onHost(`${first.paths.work}/secret`) ?? ''), true);
    assert.equal(existsSync(second.onHost(`${second.paths.work}/secret`) ?? ''), false);
  });

  it('work and home have the same paths in every isolated cell', async (fixture) => {
    const cell = await fixture.cell();
    assert.deepEqual(cell.paths, { work: '/work', home: '/agent' });
  });

  it('programs in a cell are not root, have no capabilities and cannot gain privileges', async (fixture) => {
    const cell = await fixture.cell();
    const { out } = await sh(
      cell,
      'id -u; grep Cap /proc/self/status; grep NoNewPrivs /proc/self/status',
    );
    assert.equal(out.startsWith('0\n'), false);
    assert.deepEqual(out.match(/Cap\w+:\s+0*[1-9a-f]\w*/g), null);
    assert.match(out, /NoNewPrivs:\s+1/);
  });
}

function digest(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}
