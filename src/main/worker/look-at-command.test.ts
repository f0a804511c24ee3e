import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openRoom } from '../../../test/support/agent-room.ts';
import { createShell } from '../../adapters/shell/shell.ts';
import { lookAtCommand } from './look-at-command.ts';

const shell = createShell();
const hash = (text: string) => createHash('sha256').update(text).digest('hex');

describe('what a host finds out about a command', () => {
  it('A18: a way up leads from where the link before it goes', async () => {
    await using room = await openRoom();
    const { cell } = room;
    const { work } = cell.paths;
    mkdirSync(join(work, 'deep/er'), { recursive: true });
    symlinkSync('deep/er', join(work, 'link'));
    writeFileSync(join(work, 'run.sh'), 'harmless');
    writeFileSync(join(work, 'deep/run.sh'), 'evil');
    const { links, scripts } = lookAtCommand({ shell, cell }, 'bash link/../run.sh');
    assert.equal(links['link/../run.sh'], join(work, 'deep/run.sh'));
    assert.deepEqual(scripts, { [join(work, 'deep/run.sh')]: hash('evil') });
  });

  it('A18: a link that leads up and away is walked, however often it turns', async () => {
    await using room = await openRoom();
    const { cell } = room;
    const { work } = cell.paths;
    symlinkSync('b', join(work, 'a'));
    symlinkSync('a', join(work, 'b'));
    symlinkSync('../../../../../../../../../etc/shadow', join(work, 'far'));
    const { links } = lookAtCommand({ shell, cell }, 'cat a far');
    assert.equal(links['far'], '/etc/shadow');
    assert.ok(links['a'] === undefined || links['a'].startsWith(work));
  });
});
