import assert from 'node:assert/strict';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import {
  bin,
  namesIn,
  nothingIsLeft,
  offline,
  programsWithout,
  runDemo,
  whole,
} from '../support/demo-run.ts';
import { asOrdinaryUser, ORDINARY_USER, reachableClone } from '../support/ordinary-user.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { testIn } from '../support/tier.ts';
import { ROOT } from '../support/tree.ts';

const bwrap = process.env['GUILDHALL_TEST_BUBBLEWRAP'];
const sdk = process.env['GUILDHALL_TEST_AGENT_SDK'];
const isRoot = process.getuid?.() === 0;
const skip = sdk === undefined ? 'the Agent SDK is not installed' : false;

describe('the demo', { skip }, () => {
  const test = testIn('test');

  test('X-001a X-001b GH-052 GH-054: the demo completes with only the loopback network', async (t) => {
    if (bwrap === undefined) return t.skip('bubblewrap is not here');
    using folder = tempFolder();
    const told = await runDemo(folder, offline([process.execPath, bin(ROOT), 'demo', '--json']));
    whole(told, 'sandbox');
    await nothingIsLeft(folder);
  });
});

describe('the demo', { skip }, () => {
  const test = testIn('full');

  test('the demo of a forge goes from a labelled issue to a merge with only the loopback network, and leaves nothing', async (t) => {
    if (bwrap === undefined) return t.skip('bubblewrap is not here');
    using folder = tempFolder();
    const command = [process.execPath, bin(ROOT), 'demo', '--forge', '--json'];
    const { out, err, code } = await runDemo(folder, offline(command));
    assert.equal(code, 0, `${out}${err}`);
    const lines = out.trim().split('\n');
    const story = lines.map((line) => JSON.parse(line).text ?? '').join('\n');
    const steps = [
      /set the label hall:dev/,
      /opens pull request #2/,
      /red: tests/,
      /fix the checks/,
      /request changes on #2/,
      /address the review/,
      /approve pull request #2/,
      /merges the pull request/,
      /the issue is closed, its card says "done", and the branches left are: main/,
    ];
    for (const step of steps) assert.match(story, step);
    const { merged, isolation } = JSON.parse(lines.at(-1) ?? '');
    assert.deepEqual([merged, isolation], [1, 'sandbox']);
    await nothingIsLeft(folder);
  });

  test('X-001a X-001b: the demo completes for an ordinary user', {
    skip: !isRoot && 'only root can become another',
  }, async (t) => {
    if (bwrap === undefined) return t.skip('bubblewrap is not here');
    using folder = tempFolder();
    using clone = reachableClone();
    chmodSync(folder.path, 0o755);
    const own = folder.file('tmp');
    mkdirSync(own);
    chownSync(own, ORDINARY_USER, ORDINARY_USER);
    const command = [...asOrdinaryUser(), clone.node, bin(clone.path), 'demo', '--json'];
    whole(await runDemo(folder, offline(command), own), 'sandbox');
    assert.deepEqual(namesIn(own), []);
  });

  test('the demo runs without isolation if none is available, and says so', async () => {
    using folder = tempFolder();
    using programs = programsWithout('bwrap', 'podman', 'docker');
    const command = [process.execPath, bin(ROOT), 'demo'];
    const told = await runDemo(folder, command, folder.path, programs.path);
    assert.equal(told.code, 0, told.err);
    assert.match(
      told.out,
      /The agents ran without isolation: no cell .* sandbox: bubblewrap \(bwrap\) is not on .* container: neither podman/,
    );
    assert.match(told.out, /2 pull requests merged/);
    await nothingIsLeft(folder);
  });

  test('the demo keeps its folder with --keep', async () => {
    using folder = tempFolder();
    using programs = programsWithout('bwrap', 'podman', 'docker');
    const command = [process.execPath, bin(ROOT), 'demo', '--json', '--keep'];
    const { out, err, code } = await runDemo(folder, command, folder.path, programs.path);
    assert.equal(code, 0, `${out}${err}`);
    const { folder: kept, isolation } = JSON.parse(out.trim().split('\n').at(-1) ?? '');
    assert.equal(isolation, 'none');
    assert.match(readFileSync(join(kept, 'guildhall.yaml'), 'utf8'), /tea-shop/);
    assert.ok(existsSync(join(kept, 'tea-shop.git/HEAD')));
  });
});
