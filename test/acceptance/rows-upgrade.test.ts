import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { eventIn } from '../../src/domain/renamed-events.ts';
import { EVENT_TYPES } from '../../src/queries/views/event.ts';
import { type Place, STORES } from '../support/acceptance-stores.ts';
import {
  EARLIER_HALL,
  type EarlierStory,
  earlierExport,
  earlierStory,
  type HeldEarlier,
  layOutEarlierFolder,
  loadEarlierDump,
} from '../support/earlier-hall.ts';
import {
  type Claim,
  HallFixture,
  type Json,
  searched,
  until,
  WorkerFixture,
} from '../support/hall-fixture.ts';
import type { HallProcess } from '../support/hall-process.ts';
import { type Ended, guildhall } from './cli-command.ts';

/** A hall of this version, about to start on the data of the earlier one. */
async function upgraded(place: Place, store: 'SQLite' | 'PostgreSQL') {
  const kind = store === 'SQLite' ? 'sqlite' : 'postgres';
  const hall = await place.create(EARLIER_HALL);
  layOutEarlierFolder(join(hall.folder, 'data'), kind);
  if (kind === 'postgres') await loadEarlierDump(storeOf(hall));
  return { hall, story: earlierStory(kind) };
}

function storeOf(hall: HallProcess): string {
  return JSON.parse(readFileSync(hall.config, 'utf8')).hall.store;
}

function on(hall: HallProcess, ...args: readonly string[]): Promise<Ended> {
  return guildhall([...args, '--config', hall.config], { cwd: hall.folder });
}

async function verified(hall: HallProcess): Promise<Json> {
  const { code, stdout, stderr } = await on(hall, 'audit', 'verify', '--json');
  assert.equal(code, 0, `${stderr}${stdout}`);
  return JSON.parse(stdout);
}

/** A worker of the earlier hall, with its token. */
function workerOf(fixture: HallFixture, { worker, token }: HeldEarlier): WorkerFixture {
  return new WorkerFixture(worker, token, fixture.as(token));
}

/** Every earlier worker continues its run under its old fence. */
async function finishHeldRuns(fixture: HallFixture, story: EarlierStory): Promise<void> {
  const { running, awaiting_approval: gated, claimed } = story;
  const first = workerOf(fixture, running);
  const { body } = await first.heartbeat({ run: running.run, fence: running.fence });
  assert.deepEqual([body.orders, body.run], ['continue', running.run]);
  await first.complete(running, { summary: 'over the upgrade' });
  assert.equal((await fixture.task(running.task)).summary, 'over the upgrade');

  const second = workerOf(fixture, gated);
  assert.equal((await fixture.task(gated.task)).state, 'awaiting_approval');
  const { nonce } = await fixture.get(`/v1/approvals/${gated.approval}`);
  await fixture.post(`/v1/approvals/${gated.approval}`, { answer: 'approve', nonce });
  assert.equal((await fixture.task(gated.task)).state, 'running');
  await second.complete(gated);

  const third = workerOf(fixture, claimed);
  await third.mustCall('start', claimed);
  await third.complete(claimed);
  assert.equal((await fixture.task(claimed.task)).state, 'completed');
}

/** A new worker completes the tasks that no worker held, in the order of their dependencies. */
async function workOff(fixture: HallFixture, { tasks }: EarlierStory): Promise<void> {
  const stateOf = async (task: string) => (await fixture.task(task)).state;
  assert.equal(await stateOf(tasks.available), 'available');
  assert.equal(await stateOf(tasks.blocked), 'blocked');
  const worker = await fixture.worker({ projects: ['queue'] });
  const done: string[] = [];
  for (let n = 0; n < 4; n += 1) {
    // One of them waits for a specialist until its wait expires.
    const claim: Claim = await until('another task is available', async () => {
      const { status, body } = await worker.claim();
      return status === 200 && body;
    });
    await worker.complete(claim);
    done.push(claim.task.id);
  }
  assert.deepEqual(new Set(done).size, 4);
  assert.ok(done.indexOf(tasks.available) < done.indexOf(tasks.blocked));
  assert.ok(done.includes(tasks.styled));

  await fixture.post(`/v1/tasks/${tasks.awaiting_input}/answer`, { text: 'This one' });
  assert.equal(await stateOf(tasks.awaiting_input), 'available');
  await fixture.post(`/v1/tasks/${tasks.deferred}/retry`);
  assert.equal(await stateOf(tasks.deferred), 'available');
}

/** The search index is filled with what was there before. */
async function findsByWords(fixture: HallFixture, task: string): Promise<void> {
  await searched(fixture.caller);
  const { title } = await fixture.task(task);
  const { tasks } = await fixture.get(`/v1/tasks?text=${encodeURIComponent(title)}`);
  assert.ok(
    tasks.some(({ id }: Json) => id === task),
    title,
  );
}

test('every event of the previous release is read under a name that the API knows', () => {
  for (const line of earlierExport().trimEnd().split('\n')) {
    const { type } = eventIn(JSON.parse(line).body);
    assert.ok(EVENT_TYPES.includes(type), type);
  }
});

for (const proven of STORES) {
  const { store } = proven;
  describe(`upgrade from the previous release, on ${store}`, () => {
    proven.test(
      'X-021a: after an upgrade, open tasks and active runs continue, and audit verify passes',
      async (place) => {
        const { hall, story } = await upgraded(place, store);
        await hall.start();
        using fixture = new HallFixture(hall);
        await finishHeldRuns(fixture, story);
        await workOff(fixture, story);
        await findsByWords(fixture, story.tasks.available);
        const { thread: merged } = await fixture.get(`/v1/threads/${story.threads.merged}`);
        assert.equal(merged.state, 'done');
        const requested = await fixture.get(`/v1/threads/${story.threads.merge_requested}`);
        assert.equal(requested.thread.merge_requested_by, 'operator:local');
        const { ok, anchors } = await verified(hall);
        assert.deepEqual([ok, anchors >= 2], [true, true]);
        await hall.stop();
        assert.equal((await verified(hall)).ok, true);
      },
    );

    proven.test(
      'X-021a: after an upgrade, earlier events have their present names, and the earlier board can be read',
      async (place) => {
        const { hall, story } = await upgraded(place, store);
        await hall.start();
        using fixture = new HallFixture(hall);
        const eventsOf = async (type: string) =>
          (await fixture.get(`/v1/events?type=${type}`)).events;
        const [merged] = await eventsOf('PullRequestMerged');
        assert.equal(merged.facts.thread, story.threads.merged);
        for (const type of ['LabelWaitExpired', 'LabelsUnmatched', 'NoteAdded', 'UsageRecorded']) {
          assert.ok((await eventsOf(type)).length > 0, type);
        }
        assert.equal((await fixture.caller.get('/v1/events?type=ThreadLanded')).status, 400);
        const ofTask = await fixture.events(story.running.task);
        assert.ok(ofTask.some(({ type }) => type === 'NoteAdded'));

        await workerOf(fixture, story.running).complete(story.running);
        const past = await fixture.get(`/v1/board?at=${encodeURIComponent(story.at)}`);
        const shop = past.projects.find(({ name }: Json) => name === 'shop');
        assert.equal(shop.counts.running, 1);
        const now = await fixture.get('/v1/board');
        assert.equal(now.projects.find(({ name }: Json) => name === 'shop').counts.running, 0);
      },
    );

    proven.test(
      'X-013b: an export of the previous release is imported byte for byte, and its runs continue',
      async (place) => {
        const hall = await place.create(EARLIER_HALL);
        const file = join(hall.folder, 'hall.ndjson');
        const lines = earlierExport();
        writeFileSync(file, lines);
        const { code, stdout, stderr } = await on(hall, 'import', file, '--json');
        assert.equal(code, 0, stderr);
        const last = JSON.parse(lines.trimEnd().split('\n').at(-1) ?? '');
        const { seq: events, link } = last;
        assert.deepEqual(JSON.parse(stdout), { events, link, unreadable_secrets: [] });
        assert.equal((await on(hall, 'export')).stdout, lines);
        assert.equal((await verified(hall)).ok, true);

        await hall.start();
        using fixture = new HallFixture(hall);
        const story = earlierStory('sqlite');
        await finishHeldRuns(fixture, story);
        await findsByWords(fixture, story.tasks.available);
        assert.equal((await verified(hall)).ok, true);
      },
    );
  });
}
