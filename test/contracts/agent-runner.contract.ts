import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentRunner } from '../../src/ports/agent.ts';
import type { Cell } from '../../src/ports/cell.ts';
import { jobIn, openAgentFixture, recordCallbacks } from '../support/agent-fixture.ts';
import { until } from '../support/hall-fixture.ts';

/** What an agent does in a test, on each backend. */
export type Scenario =
  /** Writes its environment to `env.txt`, then reports `It is fixed.` */
  | 'reports'
  | 'says nothing'
  /** Reports input that does not match the tool's schema. */
  | 'reports junk'
  /** Kills its own program. */
  | 'dies'
  /** Leaves a process in its own session that appends to `alive.txt`, and never ends. */
  | 'never ends'
  /** Says a hundred thousand characters in one line. */
  | 'says much';

export interface Played extends AsyncDisposable {
  readonly runner: AgentRunner;
  /** Where the cell's gateway leads; null when the backend needs no model. */
  readonly model: string | null;
}

/** What a worker relies on from every agent backend. */
export function agentRunnerContract(
  name: string,
  play: (scenario: Scenario) => Promise<Played>,
  skip: string | false = false,
): void {
  describe(`agents on ${name}`, { skip }, () => {
    it('X-012a X-012b: an agent reports with the hall tool and then stops', async () => {
      await using played = await play('reports');
      await using room = await openAgentFixture(played.model);
      const around = recordCallbacks();
      const end = await played.runner.run(jobIn(room.cell), around);
      assert.equal(end.how, 'stopped');
      assert.deepEqual(
        around.used.map(({ tool, input }) => [tool, (input as { summary: string }).summary]),
        [['report', 'It is fixed.']],
      );
    });

    it('an agent sees the variables of its operator, and none of its worker', async () => {
      process.env['GUILDHALL_TEST_CANARY'] = 'canary-of-the-worker';
      await using played = await play('reports');
      await using room = await openAgentFixture(played.model);
      const env = { TZ: 'Europe/Berlin', LANG: 'xx' };
      await played.runner.run({ ...jobIn(room.cell), env }, recordCallbacks());
      delete process.env['GUILDHALL_TEST_CANARY'];
      const seen = readFileSync(join(room.cell.paths.work, 'env.txt'), 'utf8');
      assert.doesNotMatch(seen, /canary-of-the-worker/);
      assert.match(seen, new RegExp(`^HOME=${room.cell.paths.home}$`, 'm'));
      assert.match(seen, /^TZ=Europe\/Berlin$/m);
      assert.match(seen, /^LANG=C.UTF-8$/m, 'its own settings come first');
    });

    it('an agent that says nothing has stopped without a report', async () => {
      await using played = await play('says nothing');
      await using room = await openAgentFixture(played.model);
      const around = recordCallbacks();
      assert.equal((await played.runner.run(jobIn(room.cell), around)).how, 'stopped');
      assert.deepEqual(around.used, []);
    });

    it('a report that the hall tool refuses reaches the agent as an error', async () => {
      await using played = await play('reports junk');
      await using room = await openAgentFixture(played.model);
      const around = recordCallbacks({
        use: async () => ({ text: 'summary is missing', isError: true, ends: false }),
      });
      const end = await played.runner.run(jobIn(room.cell), around);
      assert.match(JSON.stringify([end, around.transcript]), /summary/);
    });

    it('an unreachable hall is reported to the agent as a tool error', async () => {
      await using played = await play('reports');
      await using room = await openAgentFixture(played.model);
      const around = recordCallbacks({ use: () => Promise.reject(new Error('the hall is away')) });
      const end = await played.runner.run(jobIn(room.cell), around);
      assert.match(JSON.stringify([end, around.transcript]), /the hall is away/);
    });

    it('an agent whose program is killed has crashed, with the signal as the reason', async () => {
      await using played = await play('dies');
      await using room = await openAgentFixture(played.model);
      const end = await played.runner.run(jobIn(room.cell), recordCallbacks());
      assert.equal(end.how, 'failed');
      assert.equal(end.how === 'failed' && end.why, 'crashed');
      assert.match(JSON.stringify(end), /SIGKILL|137/);
    });

    it('stopping an agent also ends everything it started', async () => {
      await using played = await play('never ends');
      await using room = await openAgentFixture(played.model);
      const around = recordCallbacks();
      const running = played.runner.run(jobIn(room.cell), around);
      await isWriting(room.cell);
      around.abort();
      const end = await Promise.race([running, sleep(STOPS_WITHIN, null, { ref: false })]);
      assert.equal(end?.how, 'aborted', `a stop that takes longer than ${STOPS_WITHIN} ms is none`);
      await isQuiet(room.cell);
    });

    it('an agent that is stopped before its start is not started', async () => {
      await using played = await play('reports');
      await using room = await openAgentFixture(played.model);
      const around = recordCallbacks();
      around.abort();
      assert.equal((await played.runner.run(jobIn(room.cell), around)).how, 'aborted');
      assert.equal(existsSync(join(room.cell.paths.work, 'env.txt')), false);
    });

    it('long transcript entries are cut', async () => {
      await using played = await play('says much');
      await using room = await openAgentFixture(played.model);
      const around = recordCallbacks();
      await played.runner.run(jobIn(room.cell), around);
      const longest = Math.max(...around.transcript.map(({ text }) => text.length));
      assert.ok(longest > 30_000 && longest < 33_000, `${longest}`);
    });

    it('a session that cannot be resumed is reported as lost instead of silently restarted', async () => {
      await using played = await play('reports');
      await using room = await openAgentFixture(played.model);
      const session = { id: '00000000-0000-4000-8000-000000000000', history: 'no history\n' };
      const around = recordCallbacks();
      const end = await played.runner.run(jobIn(room.cell, { session }), around);
      assert.equal(end.how === 'failed' && end.why, 'session_lost', JSON.stringify(end));
      assert.deepEqual(around.used, []);
    });
  });
}

/** The agent itself would never end. */
const STOPS_WITHIN = 600_000;

async function isWriting(cell: Cell): Promise<void> {
  await until('the agent writes', () => sizeIn(cell) > 0);
}

async function isQuiet(cell: Cell): Promise<void> {
  const before = sizeIn(cell);
  await sleep(300);
  assert.equal(sizeIn(cell), before, 'something of the agent still writes');
}

function sizeIn(cell: Cell): number {
  const path = join(cell.paths.work, 'alive.txt');
  return existsSync(path) ? readFileSync(path).length : 0;
}
