import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { until } from '../support/hall-fixture.ts';
import { HallInProcess } from '../support/hall-in-process.ts';

describe('a database that was lost', () => {
  test('a hall whose database is lost in its first minute does not start as an empty one', async () => {
    await using hall = await HallInProcess.start({ projects: { shop: 5 } });
    const anchors = join(hall.folder, 'data', 'anchors.log');
    await using left = await HallInProcess.create({ projects: { shop: 5 } });
    mkdirSync(join(left.folder, 'data'));
    copyFileSync(anchors, join(left.folder, 'data', 'anchors.log'));
    await assert.rejects(left.start(), /its end is missing.*restore --config \S+ FILE/s);
  });

  test('a hall whose database file is taken away anchors what it has acknowledged before it exits', async () => {
    await using hall = await HallInProcess.start({ projects: { shop: 5 } });
    const anchors = join(hall.folder, 'data', 'anchors.log');
    const posted = await hall.caller().post('/v1/tasks', { project: 'shop', title: 'Last' });
    renameSync(join(hall.folder, 'data', 'hall.db'), join(hall.folder, 'taken.db'));
    const refused = await hall.caller().post('/v1/tasks', { project: 'shop', title: 'Too late' });
    assert.equal(refused.status, 503);
    await until('it has exited', () => hall.output.includes('hall stopped'));
    const seq = Number(readFileSync(anchors, 'utf8').trim().split('\n').at(-1)?.split(' ')[1]);
    assert.ok(seq >= Number(posted.body.tasks[0].id.slice(2)), `anchored up to event ${seq}`);
    await assert.rejects(hall.start(), /its end is missing.*restore --config \S+ FILE/s);
  });
});
