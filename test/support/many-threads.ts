import assert from 'node:assert/strict';
import type { Exchange } from '../../src/adapters/forge-emulator/http/server.ts';
import { createRights } from '../../src/board/forge-rights.ts';
import { lookAtForges } from '../../src/board/look-at-forges.ts';
import { decide } from '../../src/domain/decision.ts';
import type { HallEvent } from '../../src/domain/event.ts';
import type { ThreadId } from '../../src/domain/ids.ts';
import { NOBODY_WAITS } from './board-fixture.ts';
import { emulatedForge, type ForgeServer } from './forge-server.ts';
import { type RunningHall, startHall } from './hall.ts';
import { createManualClock } from './manual-clock.ts';

const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };
const HOUR = 60 * 60_000;

/** A hall that follows many issues of one emulated repository, and reads it only when it is told to. */
export interface ManyThreads extends AsyncDisposable {
  readonly hall: RunningHall;
  readonly server: ForgeServer;
  readonly repo: string;
  /** Lets a minute pass and reads the repository once; the calls that took. */
  sweep(): Promise<readonly Exchange[]>;
}

interface Sizes {
  readonly threads: number;
  /** How many of them have a pull request that waits for CI. */
  readonly heads: number;
}

export async function manyThreads({ threads, heads }: Sizes): Promise<ManyThreads> {
  await using undo = new AsyncDisposableStack();
  let calls: Exchange[] = [];
  let time = Date.now() - HOUR;
  const server = undo.use(
    await emulatedForge('github', { onExchange: (call) => calls.push(call), now: () => time }),
  );
  const repo = await server.newRepository();
  const ada = server.emulator?.control.as('ada') ?? assert.fail();
  for (let n = 0; n < threads; n += 1) {
    time += 1_000;
    ada.addLabels(repo, ada.openIssue(repo, { title: `Issue ${n}` }), ['hall:dev']);
  }
  const hall = undo.use(await startHall());
  await apply(hall, {
    type: 'ForgeConnected',
    forge: { name: 'github', kind: 'github', url: server.url },
  });
  const project = { name: 'home', repo: `github:${repo}`, max_workers: 1_000 };
  const { status, body } = await hall.caller.post('/v1/projects', project);
  assert.equal(status, 201, JSON.stringify(body));
  const clock = createManualClock();
  const looks = lookAtForges({
    ...{ hall: hall.hall, clock, log: QUIET, rightsOf: createRights({ clock, log: QUIET }) },
    workforceFor: () => ({ waiting: NOBODY_WAITS, recruiting: () => null }),
    forgeNamed: () => server.forge,
    pollEvery: () => ({ active: 60_000, idle: 60_000 }),
  });
  undo.defer(() => looks.stop());
  const sweep = async () => {
    calls = [];
    clock.pass(60_000);
    await looks.idle();
    return calls;
  };
  await sweep();
  for (let n = 0; n < heads; n += 1) {
    time += 1_000;
    await openPullRequest(hall, server, repo);
  }
  const disposed = undo.move();
  return { hall, server, repo, sweep, [Symbol.asyncDispose]: () => disposed.disposeAsync() };
}

/** A worker does the next task; CI of its pull request never ends. */
async function openPullRequest(hall: RunningHall, server: ForgeServer, repo: string) {
  const worker = await hall.worker();
  const { body } = await worker.caller.post('/v1/claims', { worker: worker.id });
  const branch = `hall/dev/${body.task.id}`;
  const commit = await server.person('ada').push(repo, branch, { [`${body.task.id}.txt`]: 'x\n' });
  await server.person('ada').status(repo, commit, 'ci', 'pending');
  const report = { fence: body.fence, outcome: 'pr_created', branch, commit };
  const { status } = await worker.caller.post(`/v1/runs/${body.run}/report`, report);
  assert.equal(status, 200);
  const plan = { repo, branch, base: 'main', title: 'Change', body: '' };
  const pr = await server.forge.ensurePullRequest(plan);
  const thread = Number(String(body.task.thread).replace(/^th-/, '')) as ThreadId;
  await apply(hall, { type: 'PullRequestOpened', thread, pr });
}

async function apply({ hall }: RunningHall, event: HallEvent): Promise<void> {
  const meta = { actor: 'hall', cause: 'forge' };
  await hall.leading()?.writer.change({ meta, decide: () => decide(null, [event]) });
}
