import assert from 'node:assert/strict';
import {
  type Claim,
  expectOk,
  type HallFixture,
  type Json,
  type ProjectFixture,
  type WorkerFixture,
} from './hall-fixture.ts';

/** A worker in the middle of a task, whose agent asks to run commands. */
export interface Working {
  readonly shop: ProjectFixture;
  readonly worker: WorkerFixture;
  readonly claim: Claim;
  /** The decision of the hall on a command. */
  ask(command: string, more?: object): Promise<Json>;
}

export async function working(
  fixture: Pick<HallFixture, 'project'>,
  shop?: ProjectFixture,
): Promise<Working> {
  const project = shop ?? (await fixture.project());
  const { worker, claim } = await project.held({ title: 'Tidy up' });
  await worker.mustCall('start', claim);
  const at = { cwd: '/cell', worktree: '/cell' };
  const ask = async (command: string, more: object = {}) =>
    expectOk(await worker.call('tool', claim, { command, ...at, ...more }));
  return { shop: project, worker, claim, ask };
}

/** The approval that a command waits for, as an operator sees it. */
export async function held(fixture: Pick<HallFixture, 'get'>, agent: Working, command: string) {
  const { verdict, approval } = await agent.ask(command);
  assert.equal(verdict, 'review');
  return fixture.get(`/v1/approvals/${approval}`);
}
