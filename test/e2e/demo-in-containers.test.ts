import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, test } from 'node:test';
import { runEngine } from '../support/container-kind.ts';
import { bin, nothingIsLeft, programsWithout, runDemo, whole } from '../support/demo-run.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { ROOT } from '../support/tree.ts';

const containers = process.env['GUILDHALL_TEST_CONTAINERS'];
const sdk = process.env['GUILDHALL_TEST_AGENT_SDK'];
const skip = sdk === undefined ? 'the Agent SDK is not installed' : false;

describe('the demo', { skip }, () => {
  test('X-001a X-001b: the demo uses containers if bubblewrap is missing, and removes them', async (t) => {
    if (containers === undefined) return t.skip('no engine of containers is here');
    using folder = tempFolder();
    using programs = programsWithout('bwrap', 'podman', 'docker');
    symlinkSync(containers, programs.file(basename(containers)));
    const command = [process.execPath, bin(ROOT), 'demo', '--json'];
    whole(await runDemo(folder, command, folder.path, programs.path), 'container');
    await nothingIsLeft(folder);
    const left = [
      runEngine('ps', '--all', '--format', '{{.Names}}'),
      runEngine('volume', 'ls', '--quiet'),
    ];
    assert.doesNotMatch(left.join('\n'), /^guildhall-demo-/m);
  });
});
