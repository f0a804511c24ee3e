import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HallProcess } from '../support/hall-process.ts';
import { withPostgres } from '../support/postgres-part.ts';
import { sizeInTier } from '../support/tier.ts';

const KEYS = sizeInTier({ test: 250, full: 500 });
const DELIVERIES = 10;

async function deliver(hall: HallProcess): Promise<void> {
  const caller = hall.caller();
  const answers = await Promise.all(
    Array.from({ length: KEYS * DELIVERIES }, (_, n) => {
      const key = `delivery-${n % KEYS}`;
      return caller.post('/v1/tasks', { project: 'shop', title: `task ${n % KEYS}` }, { key });
    }),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
  const made = answers.map(({ body }) => body.tasks[0].id);
  for (let n = 0; n < made.length; n += 1) assert.equal(made[n], made[n % KEYS]);
  assert.equal(new Set(made).size, KEYS);
  const { body } = await caller.get('/v1/board');
  assert.equal(body.totals.open, KEYS);
  caller.close();
}

describe(`ten concurrent requests for each of ${KEYS} idempotency keys`, () => {
  test('concurrent requests with the same idempotency key create one task and get one answer, on SQLite', async () => {
    await using hall = await HallProcess.start({ projects: { shop: 3 } });
    await deliver(hall);
  });

  test('concurrent requests with the same idempotency key create one task and get one answer, on PostgreSQL', async (t) => {
    await withPostgres(t, async (store) => {
      await using hall = await HallProcess.start({ projects: { shop: 3 }, store });
      await deliver(hall);
    });
  });
});
