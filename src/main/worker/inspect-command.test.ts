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

describe('what a worker sees of a command', () => {
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

  test('A18: is where a link leads, by the word and by its path', () => {
    assert.deepEqual(look('cat key').links, { key: '/etc/ssh/key', '/tree/key': '/etc/ssh/key' });
    assert.equal(look('cat < key').links['key'], '/etc/ssh/key');
    assert.equal(look('node x.js --config=key').links['key'], '/etc/ssh/key');
  });

  test('A18: is where a folder that is a link leads, and links behind links', () => {
    assert.equal(look('cat lib/out').links['lib/out'], '/secret');
    assert.equal(look('cd src && cat out').links['/tree/src/out'], '/secret');
  });

  test('A18: ends in a loop of links, and at pipes', () => {
    assert.doesNotThrow(() => look('cat loop-a pipe'));
    assert.deepEqual(look('cat pipe').scripts, {});
  });

  test('A39: is what is in the files it names, as it is now', () => {
    const before = look('bash run.sh').scripts['/tree/run.sh'];
    assert.match(before ?? '', /^[0-9a-f]{64}$/);
    writeFileSync(join(work, 'run.sh'), 'echo two');
    assert.notEqual(look('bash run.sh').scripts['/tree/run.sh'], before);
  });

  test('A18: is nothing of files outside the cell', () => {
    assert.deepEqual(look('cat lib/out').scripts, {});
    assert.deepEqual(look('cat /etc/passwd'), { links: {}, scripts: {} });
  });
});

const shell = createShell();
const hash = (text: string) => createHash('sha256').update(text).digest('hex');

describe('what a host finds out about a command', () => {
  test('A18: a way up leads from where the link before it goes', async () => {
    await using room = await openAgentFixture();
    const { cell } = room;
    const { work } = cell.paths;
    mkdirSync(join(work, 'deep/er'), { recursive: true });
    symlinkSync('deep/er', join(work, 'link'));
    writeFileSync(join(work, 'run.sh'), 'harmless');
    writeFileSync(join(work, 'deep/run.sh'), 'evil');
    const { links, scripts } = inspectCommand({ shell, cell }, 'bash link/../run.sh');
    assert.equal(links['link/../run.sh'], join(work, 'deep/run.sh'));
    assert.deepEqual(scripts, { [join(work, 'deep/run.sh')]: hash('evil') });
  });

  test('A18: a link that leads up and away is walked, however often it turns', async () => {
    await using room = await openAgentFixture();
    const { cell } = room;
    const { work } = cell.paths;
    symlinkSync('b', join(work, 'a'));
    symlinkSync('a', join(work, 'b'));
    symlinkSync('../../../../../../../../../etc/shadow', join(work, 'far'));
    const { links } = inspectCommand({ shell, cell }, 'cat a far');
    assert.equal(links['far'], '/etc/shadow');
    assert.ok(links['a'] === undefined || links['a'].startsWith(work));
  });
});
