import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fillOnce, runIn } from './cache.ts';
import { verifyChecksum } from './postgres-package.ts';
import { tempFolder } from './temp-folder.ts';

describe('the cache of a clone', () => {
  it('a folder of the cache is filled once', async () => {
    using folder = tempFolder();
    const fill = async (part: string) => writeFile(join(part, 'program'), 'v1');
    const filled = await fillOnce(folder.file('tool'), fill);
    await fillOnce(folder.file('tool'), async () => assert.fail('filled twice'));
    assert.equal(readFileSync(join(filled, 'program'), 'utf8'), 'v1');
    assert.deepEqual(readdirSync(folder.path), ['tool']);
  });

  it('a folder of the cache that could not be filled leaves nothing behind', async () => {
    using folder = tempFolder();
    const half = async (part: string) => {
      await writeFile(join(part, 'half'), '');
      await runIn(part, 'sh', '-c', 'echo first >&2; echo the disk is full >&2; exit 1');
    };
    await assert.rejects(fillOnce(folder.file('tool'), half), { message: 'the disk is full' });
    assert.deepEqual(readdirSync(folder.path), []);
  });

  it('a folder of the cache that a killed run left half filled is filled again', async () => {
    using folder = tempFolder();
    const script = `
      import { fillOnce } from ${JSON.stringify(join(import.meta.dirname, 'cache.ts'))};
      await fillOnce(process.argv[1], async () => {
        console.log('filling');
        await new Promise((done) => setTimeout(done, 600_000));
      });`;
    const filling = ['--input-type=module', '--eval', script, folder.file('tool')];
    const killed = spawn(process.execPath, filling, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(killed.stdout, 'data');
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    assert.deepEqual(readdirSync(folder.path), [`tool.part-${killed.pid}`]);

    await fillOnce(folder.file('tool'), async () => undefined);

    assert.deepEqual(readdirSync(folder.path), ['tool']);
  });

  it('two runs that fill a folder of the cache at once both have it', async () => {
    using folder = tempFolder();
    const filled = await fillOnce(folder.file('tool'), async (part) => {
      await writeFile(join(part, 'program'), 'slower');
      // As another process would, between our look and our rename.
      mkdirSync(folder.file('tool'));
      await writeFile(folder.file('tool/program'), 'faster');
    });
    assert.equal(readFileSync(join(filled, 'program'), 'utf8'), 'faster');
    assert.deepEqual(readdirSync(folder.path), ['tool']);
  });

  it('an archive with another checksum than the pinned one is refused', () => {
    assert.throws(() => verifyChecksum(Buffer.from('something else'), 'expected=='), {
      message: /^its archive has the checksum sha512-.*, not sha512-expected==$/,
    });
  });
});
