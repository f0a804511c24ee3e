import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { openAgentFixture } from '../../../test/support/agent-fixture.ts';
import { createShell } from '../../adapters/shell/shell.ts';
import type { Cell } from '../../ports/cell.ts';
import { inspectCommand } from './inspect-command.ts';

describe('what a worker sends about a command', () => {
  const root = mkdtempSync(join(tmpdir(), 'look-'));
  after(() => rmSync(root, { recursive: true }));
  const work = join(root, 'tree');
  mkdirSync(join(work, 'src'), { recursive: true });
  writeFileSync(join(root, 'secret'), 'outside');
  writeFileSync(join(work, 'run.sh'), 'echo one');
  symlinkSync('/etc/ssh/key', join(work, 'key'));
  symlinkSync('../../secret', join(work, 'src/out'));
  symlinkSync('src', join(work, 'lib'));
  symlinkSync('loop-b', join(work, 'loop-a'));
  symlinkSync('loop-a', join(work, 'loop-b'));
  execFileSync('mkfifo', [join(work, 'pipe')]);

  const cell: Pick<Cell, 'paths' | 'onHost'> = {
    paths: { work: '/tree', home: '/agent' },
    onHost: (inside) => (inside.startsWith('/tree') ? join(root, inside) : undefined),
  };
  const look = (command: string) =>
    inspectCommand({ shell: createShell(), cell: cell as Cell }, command);

  test('A18: the target of a link is reported by its word and by its path', () => {
    assert.deepEqual(look('cat key').links, { key: '/etc/ssh/key', '/tree/key': '/etc/ssh/key' });
    assert.equal(look('cat < key').links['key'], '/etc/ssh/key');
    assert.equal(look('node x.js --config=key').links['key'], '/etc/ssh/key');
  });

  test('A18: links behind linked folders and after cd are resolved', () => {
    assert.equal(look('cat lib/out').links['lib/out'], '/secret');
    assert.equal(look('cd src && cat out').links['/tree/src/out'], '/secret');
  });

  test('A18: a loop of links and a named pipe do not hang the inspection', () => {
    assert.doesNotThrow(() => look('cat loop-a pipe'));
    assert.deepEqual(look('cat pipe').scripts, {});
  });

  test('A39: the hash of a named file changes with its content', () => {
    const before = look('bash run.sh').scripts['/tree/run.sh'];
    assert.match(before ?? '', /^[0-9a-f]{64}$/);
    writeFileSync(join(work, 'run.sh'), 'echo two');
    assert.notEqual(look('bash run.sh').scripts['/tree/run.sh'], before);
  });

  test('A18: files outside the cell are not read', () => {
    assert.deepEqual(look('cat lib/out').scripts, {});
    assert.deepEqual(look('cat /etc/passwd'), { links: {}, scripts: {} });
  });
});

const shell = createShell();
const hash = (text: string) => createHash('sha256').update(text).digest('hex');

describe('what the host resolves of a command', () => {
  test('A18: a .. after a link leads up from the target of the link', async () => {
    await using fixture = await openAgentFixture();
    const { cell } = fixture;
    const { work } = cell.paths;
    mkdirSync(join(work, 'deep/er'), { recursive: true });
    symlinkSync('deep/er', join(work, 'link'));
    writeFileSync(join(work, 'run.sh'), 'harmless');
    writeFileSync(join(work, 'deep/run.sh'), 'evil');
    const { links, scripts } = inspectCommand({ shell, cell }, 'bash link/../run.sh');
    assert.equal(links['link/../run.sh'], join(work, 'deep/run.sh'));
    assert.deepEqual(scripts, { [join(work, 'deep/run.sh')]: hash('evil') });
  });

  test('A18: a link that leads out of the work tree is resolved, and a loop ends', async () => {
    await using fixture = await openAgentFixture();
    const { cell } = fixture;
    const { work } = cell.paths;
    symlinkSync('b', join(work, 'a'));
    symlinkSync('a', join(work, 'b'));
    symlinkSync('../../../../../../../../../etc/shadow', join(work, 'far'));
    const { links } = inspectCommand({ shell, cell }, 'cat a far');
    assert.equal(links['far'], '/etc/shadow');
    assert.ok(links['a'] === undefined || links['a'].startsWith(work));
  });
});
