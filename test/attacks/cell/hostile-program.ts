import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ListenOptions } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Cell } from '../../../src/ports/cell.ts';
import { cellFixture, sh } from '../../support/cell-fixture.ts';
import { buildOrSayWhy, type CellKind } from '../../support/cell-kinds.ts';
import { type Attempts, fileAttempts, type Loot, networkAttempts } from './ways-out.ts';

const SECRET = `canary-${randomBytes(8).toString('hex')}`;
/** Only for titles; the attempts themselves need the targets on the host. */
const NOWHERE: Loot = { file: '/x', pid: 0, port: 0, address: '', abstract: '', socket: '' };

/** Every way out that is known, tried in a cell of the kind. */
export function hostileProgram(kind: CellKind): void {
  describe(`a hostile program in a cell: ${kind.name}`, () => {
    const undo = new AsyncDisposableStack();
    const reached: string[] = [];
    let cell: Cell | undefined;
    let missing = '';
    let loot = NOWHERE;

    before(async () => {
      const cells = await buildOrSayWhy(kind);
      loot = await layLoot(reached, undo);
      if ('missing' in cells) missing = cells.missing;
      else cell = await undo.use(cellFixture(cells)).cell();
    });
    after(() => undo.disposeAsync());

    function attempts(list: (loot: Loot) => Attempts): void {
      for (const [at, title] of Object.keys(list(NOWHERE)).entries()) {
        test(`${title} is blocked in a cell`, async (t) => {
          if (cell === undefined) return t.skip(missing);
          const own = `${list.name}-${at}`;
          const script = `mkdir ${own} && cd ${own} || exit 0\n${list(loot)[title]}`;
          const { code, out, err } = await sh(cell, script);
          assert.equal(code === 0, false, `${out}${err}`);
          assert.equal(`${out}${err}`.includes(SECRET), false, out);
          assert.deepEqual(reached, []);
        });
      }
    }
    attempts(networkAttempts);
    attempts(fileAttempts);

    test('the programs that the escape attempts need exist in the cell', async (t) => {
      if (cell === undefined) return t.skip(missing);
      const tools = 'perl -MSocket -e 1 && node -e 0 && getent --version && unshare --version';
      assert.equal((await sh(cell, `${tools} && ps && touch here`)).code, 0);
    });

    test('the secret that escape attempts look for can be read outside the cell', async () => {
      const script = Object.entries({ ...networkAttempts(loot), ...fileAttempts(loot) });
      const [, file] = script.find(([title]) => title.includes('every user may read')) ?? [];
      const outside = spawn('sh', ['-c', file ?? ''], { stdio: ['ignore', 'pipe', 'inherit'] });
      const [chunk] = await once(outside.stdout, 'data');
      assert.equal(String(chunk), SECRET);
    });
  });
}

async function layLoot(reached: string[], undo: AsyncDisposableStack): Promise<Loot> {
  const folder = mkdtempSync(join(tmpdir(), 'loot-'));
  chmodSync(folder, 0o755);
  const file = join(folder, 'file');
  writeFileSync(file, SECRET);
  const sleeper = spawn('sleep', ['600'], { env: { CANARY: SECRET }, stdio: 'ignore' });
  async function listen(name: string, where: ListenOptions) {
    const server = createServer((client) => {
      reached.push(name);
      client.destroy();
    });
    server.listen(where);
    await once(server, 'listening');
    undo.defer(() => void server.close());
    return server.address();
  }
  const everywhere = await listen('port', { port: 0, host: '::' });
  const abstract = `guildhall-${SECRET}`;
  await listen('abstract', { path: `\0${abstract}` });
  const socket = join(folder, 'socket');
  await listen('file', { path: socket });
  chmodSync(socket, 0o666);
  undo.defer(() => void sleeper.kill('SIGKILL'));
  undo.defer(() => rmSync(folder, { recursive: true, force: true }));
  return {
    file,
    pid: sleeper.pid ?? 0,
    port: typeof everywhere === 'object' ? (everywhere?.port ?? 0) : 0,
    address: ownAddress(),
    abstract,
    socket,
  };
}

function ownAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return (
    addresses.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1'
  );
}
