import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { HallInProcess } from '../support/hall-in-process.ts';
import { type Ended, guildhall } from './cli-command.ts';

function on(hall: HallInProcess, ...args: string[]): Promise<Ended> {
  return guildhall([...args, '--config', hall.config], { cwd: hall.folder });
}

describe('an interrupted import', () => {
  test('X-013b: an interrupted import resumes where it stopped, and only with the same history', async () => {
    await using hall = await HallInProcess.start({ projects: { shop: 5 } });
    await hall.caller().post('/v1/tasks', { project: 'shop', title: 'One' });
    await hall.caller().post('/v1/tasks', { project: 'shop', title: 'Two' });
    const { stdout: exported } = await on(hall, 'export');
    const lines = exported.trimEnd().split('\n');
    const sealed = lines.findIndex((line) => !line.endsWith('"link":null}'));
    await using copy = await HallInProcess.create({ projects: { shop: 5 } });
    const file = join(copy.folder, 'hall.ndjson');
    writeFileSync(file, lines.slice(0, sealed + 1).join('\n'));
    assert.equal((await on(copy, 'import', file)).code, 0);

    await using other = await HallInProcess.start({ projects: { shop: 5, toys: 5 } });
    writeFileSync(file, (await on(other, 'export')).stdout);
    const foreign = await on(copy, 'import', file);
    assert.equal(foreign.code, 1);
    assert.match(foreign.stderr, /can be imported only into an empty store/);

    writeFileSync(file, exported);
    const again = await on(copy, 'import', file);
    assert.equal(again.code, 0, again.stderr);
    assert.equal((await on(copy, 'export')).stdout, exported);
    assert.equal((await on(copy, 'audit', 'verify')).code, 0);
  });
});

test('X-013b: an export that is cut off, changed or not an export is refused and leaves the store empty', async () => {
  await using hall = await HallInProcess.start({ projects: { shop: 5 } });
  for (const title of ['One', 'Two']) {
    await hall.caller().post('/v1/tasks', { project: 'shop', title });
  }
  const { stdout: exported } = await on(hall, 'export');
  const lines = exported.trimEnd().split('\n');
  await using copy = await HallInProcess.create({ projects: { shop: 5 } });
  const file = join(copy.folder, 'hall.ndjson');
  const unusable = {
    'ends in the middle': lines.slice(0, 1).join('\n'),
    'does not match its hash': exported.replace('Two', 'Tow'),
    'is not an event': `${exported}and so on\n`,
  };
  for (const [why, text] of Object.entries(unusable)) {
    writeFileSync(file, text);
    const { code, stderr } = await on(copy, 'import', file);
    assert.equal(code, 1, why);
    assert.match(stderr, new RegExp(why));
    assert.equal((await on(copy, 'export')).stdout, '', why);
  }
  const piped = ['import', '-', '--config', copy.config];
  assert.equal((await guildhall(piped, { cwd: copy.folder, input: exported })).code, 0);
  assert.equal((await on(copy, 'export')).stdout, exported);
});
