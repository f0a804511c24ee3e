import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { describe } from 'node:test';
import { STORES } from '../support/acceptance-stores.ts';
import { type HallFixture, type Json, until } from '../support/hall-fixture.ts';

const INVOKER = { handle: 'ada', credential: '$GUILDHALL_ROWS_KEY', weekly_cap: 5 };
process.env['GUILDHALL_ROWS_KEY'] = 'a-key-that-opens-nothing';

/** Reads the event stream. */
async function listen(fixture: HallFixture, path: string, after?: number) {
  const headers: Record<string, string> = { authorization: `Bearer ${fixture.hall.token}` };
  if (after !== undefined) headers['last-event-id'] = String(after);
  const sent = request(`${fixture.hall.url}${path}`, { headers });
  sent.on('error', () => undefined).end();
  const [got] = await once(sent, 'response');
  let text = '';
  got
    .on('error', () => undefined)
    .on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  const seqs = () =>
    text
      .split('\n\n')
      .filter((message) => message.includes('data: '))
      .map((message) => Number(/^id: (\d+)$/m.exec(message)?.[1]));
  return { status: got.statusCode, text: () => text, seqs, close: () => sent.destroy() };
}

/** One step of a task and what its event must contain. */
type Step = readonly [
  state: string,
  type: string,
  actor: RegExp,
  cause: RegExp,
  act: () => Promise<unknown>,
];

/** Checks that the last event of a task records this change, at the time of the change. */
async function assertLastEvent(
  fixture: HallFixture,
  task: string,
  [state, type, actor, cause]: Step,
): Promise<void> {
  const event = (await fixture.events(task)).at(-1);
  const { state: now, since } = await fixture.task(task);
  assert.equal(now, state);
  assert.equal(event.type, type, state);
  assert.match(event.actor, actor);
  assert.match(event.cause, cause);
  assert.equal(event.at, since, `${type} is when ${state} began`);
  if (event.facts.state !== undefined) assert.equal(event.facts.state, state);
}

/** Events after the given one, without those that the hall records by itself, such as the start of a week. */
async function doneByOthers(fixture: HallFixture, seq: number): Promise<readonly Json[]> {
  const { events } = await fixture.get(`/v1/events?order=oldest&after=${seq}`);
  return events.filter(({ actor }: Json) => actor !== 'hall');
}

for (const on of STORES) {
  describe(`on ${on.store}`, () => {
    const shared = on.sharedHall({ more: { invokers: [INVOKER] } });

    describe('visible over the API', () => {
      shared.test('GH-040: the board is visible over the API', async (fixture) => {
        const shop = await fixture.project();
        await shop.postAll([{}, {}]);
        const board = await fixture.get('/v1/board');
        assert.ok(board.totals.open >= 2);
        assert.equal((await shop.board()).counts.available, 2);
      });

      shared.test('GH-040: the workers are visible over the API', async (fixture) => {
        const shop = await fixture.project();
        const { worker, claim } = await shop.held({}, { host: 'build-1' });
        const { workers } = await fixture.get('/v1/workers');
        const shown = workers.find(({ id }: Json) => id === worker.id);
        assert.equal(shown.host, 'build-1');
        assert.equal(shown.run.id, claim.run);
      });

      shared.test(
        'GH-040: the history is visible over the API: runs, workers, results and transcripts',
        async (fixture) => {
          const shop = await fixture.project();
          const { worker, claim } = await shop.held();
          await worker.mustCall('log', claim, { entries: ['$ make', 'ok'] });
          await worker.complete(claim, { summary: 'made' });
          const { runs } = await fixture.taskDetail(claim.task.id);
          assert.deepEqual([runs[0].worker, runs[0].ending.summary], [worker.id, 'made']);
          assert.equal((await fixture.get(`/v1/runs/${claim.run}`)).ending.how, 'completed');
          const { entries } = await fixture.get(`/v1/runs/${claim.run}/transcript`);
          assert.deepEqual(
            entries.map(({ text }: Json) => text),
            ['$ make', 'ok'],
          );
        },
      );

      shared.test(
        'GH-040: the events are visible over the API, in pages without gaps and filtered',
        async (fixture) => {
          const shop = await fixture.project();
          const task = await shop.post();
          await shop.postAll([{}, {}, {}]);
          const seqs: number[] = [];
          const { seq: last } = await fixture.get('/v1/board');
          for (let after = last - 8; after < last; ) {
            const path = `/v1/events?order=oldest&limit=3&after=${after}`;
            const { events } = await fixture.get(path);
            seqs.push(...events.map((event: Json) => event.seq));
            after = seqs.at(-1) ?? last;
          }
          // The last page may contain later events of the hall itself.
          assert.deepEqual(
            seqs.filter((seq) => seq <= last),
            Array.from({ length: 8 }, (_, n) => last - 7 + n),
          );
          assert.equal((await fixture.events(task)).length, 1);
          const { events } = await fixture.get(`/v1/events?project=${shop.name}&type=TaskPosted`);
          assert.equal(events.length, 4);
        },
      );

      shared.test(
        'GH-040 CH-069a: the event stream delivers events live, and a reader that reconnects misses none',
        async (fixture) => {
          const shop = await fixture.project();
          const path = `/v1/events/stream?project=${shop.name}`;
          const reader = await listen(fixture, path);
          assert.equal(reader.status, 200);
          await shop.post({ title: 'live' });
          await until('it was told', () => reader.text().includes('"title":"live"'));
          const [known = 0] = reader.seqs().slice(-1);
          reader.close();
          await shop.postAll([{}, {}]);
          const again = await listen(fixture, path, known);
          await until('it was told the rest', () => again.seqs().length >= 2);
          assert.ok(again.seqs().every((seq) => seq > known));
          again.close();
        },
      );
    });

    describe('events of changes', () => {
      shared.test(
        'GH-041: every change of a task’s state is one event with its time, actor and cause',
        async (fixture) => {
          const shop = await fixture.project();
          const task = await shop.post();
          const worker = await shop.worker();
          const operator = /^operator:local$/;
          const own = new RegExp(`^worker:${worker.id}$`);
          const path = `/v1/tasks/${task}`;
          let claim: Json;
          const steps: readonly Step[] = [
            ['available', 'TaskPosted', operator, /^api: postTasks$/, async () => undefined],
            [
              'claimed',
              'RunClaimed',
              own,
              /^api: claimTask$/,
              async () => {
                claim = await worker.claimed();
              },
            ],
            [
              'available',
              'RunEnded',
              operator,
              /^api: releaseTask$/,
              () => fixture.post(`${path}/release`),
            ],
            [
              'claimed',
              'RunClaimed',
              own,
              /^api: claimTask$/,
              async () => {
                claim = await worker.claimed();
              },
            ],
            [
              'running',
              'RunStarted',
              own,
              /^api: startRun$/,
              () => worker.mustCall('start', claim),
            ],
            [
              'awaiting_input',
              'RunEnded',
              own,
              /^api: askQuestion$/,
              () => worker.mustCall('ask', claim, { question: 'Which?' }),
            ],
            [
              'available',
              'TaskAnswered',
              operator,
              /^api: answerTask$/,
              () => fixture.post(`${path}/answer`, { text: 'This.' }),
            ],
            [
              'claimed',
              'RunClaimed',
              own,
              /^api: claimTask$/,
              async () => {
                claim = await worker.claimed();
              },
            ],
            [
              'deferred',
              'RunEnded',
              own,
              /^api: reportRun$/,
              () => worker.mustCall('report', claim, { outcome: 'quota_exceeded' }),
            ],
            [
              'available',
              'TaskRetried',
              operator,
              /^api: retryTask$/,
              () => fixture.post(`${path}/retry`),
            ],
            [
              'cancelled',
              'TaskCancelled',
              operator,
              /^api: cancelTask$/,
              () => fixture.post(`${path}/cancel`),
            ],
          ];
          for (const step of steps) {
            await step[4]();
            await assertLastEvent(fixture, task, step);
          }
          assert.equal((await fixture.events(task)).length, steps.length, 'and there is no other');
        },
      );

      shared.test(
        'GH-041: a task that is unblocked or becomes due has an event with its actor and cause',
        async (fixture) => {
          const shop = await fixture.project();
          const [first, second = ''] = await shop.postAll([{ ref: 'a' }, { depends_on: ['a'] }]);
          const worker = await shop.worker();
          const claim = await worker.claimed();
          assert.equal(claim.task.id, first);
          await worker.complete(claim);
          await assertLastEvent(fixture, second, [
            'available',
            'TaskUnblocked',
            /^worker:/,
            /^api: reportRun$/,
            async () => undefined,
          ]);

          const due = await worker.claimed();
          const resets_at = new Date(Date.now() + 1_000).toISOString();
          await worker.mustCall('report', due, { outcome: 'quota_exceeded', resets_at });
          await until('it is due', async () => (await fixture.task(second)).state === 'available');
          await assertLastEvent(fixture, second, [
            'available',
            'TaskDue',
            /^hall$/,
            /^chore: clock$/,
            async () => undefined,
          ]);
        },
      );

      shared.test(
        'GH-041: every change of a project, an instance, an invoker, a worker and the hall is an event',
        async (fixture) => {
          const shop = await fixture.project();
          const { seq } = await fixture.get('/v1/board');
          const began = Date.now();
          const worker = await shop.worker();
          await fixture.post(`/v1/projects/${shop.name}/pause`);
          await fixture.post(`/v1/projects/${shop.name}/resume`);
          await fixture.post('/v1/agents/boss-default/pause');
          await fixture.post('/v1/agents/boss-default/resume');
          await fixture.post('/v1/invokers/ada/pause');
          await fixture.post('/v1/invokers/ada/resume');
          await fixture.post(`/v1/workers/${worker.id}/drain`);
          await fixture.caller.call('DELETE', `/v1/workers/${worker.id}?because=done`);
          await fixture.post('/v1/pause');
          await fixture.post('/v1/drain');
          await fixture.post('/v1/resume');
          const events = await doneByOthers(fixture, seq);
          assert.deepEqual(
            events.map(({ type }: Json) => type),
            [
              'WorkerRegistered',
              'ProjectPaused',
              'ProjectResumed',
              'InstanceSet',
              'InstanceSet',
              'InvokerSet',
              'InvokerSet',
              'WorkerDraining',
              'WorkerDeregistered',
              'HallPaused',
              'HallDraining',
              'HallResumed',
            ],
          );
          for (const { actor, cause, at } of events) {
            assert.equal(actor, 'operator:local');
            assert.match(cause, /^api: \w+$/);
            assert.ok(Date.parse(at) >= began && Date.parse(at) <= Date.now(), at);
          }
        },
      );

      shared.test(
        'GH-041: reads, heartbeats and claims without a task append no event',
        async (fixture) => {
          const shop = await fixture.project();
          const worker = await shop.worker();
          const { seq } = await fixture.get('/v1/board');
          await worker.heartbeat();
          await worker.claim();
          for (const path of ['tasks', 'workers', 'events', 'stats', 'health', 'projects']) {
            await fixture.get(`/v1/${path}`);
          }
          assert.deepEqual(await doneByOthers(fixture, seq), []);
        },
      );
    });
  });
}
