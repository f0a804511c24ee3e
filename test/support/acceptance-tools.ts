import assert from 'node:assert/strict';
import {
  type Claim,
  type OwnProject,
  type Scene,
  type Told,
  type Worker,
  well,
} from './acceptance-scene.ts';

/** A worker in the middle of a task, whose agent wants to run commands. */
export interface Working {
  readonly shop: OwnProject;
  readonly worker: Worker;
  readonly claim: Claim;
  /** What the hall says about a command. */
  ask(command: string, more?: object): Promise<Told>;
}

export async function working(scene: Pick<Scene, 'project'>, shop?: OwnProject): Promise<Working> {
  const project = shop ?? (await scene.project());
  const { worker, claim } = await project.held({ title: 'Tidy up' });
  await worker.tell('start', claim);
  const at = { cwd: '/cell', worktree: '/cell' };
  const ask = async (command: string, more: object = {}) =>
    well(await worker.say('tool', claim, { command, ...at, ...more }));
  return { shop: project, worker, claim, ask };
}

/** A command that waits for a person, and the approval as an operator sees it. */
export async function held(scene: Pick<Scene, 'get'>, agent: Working, command: string) {
  const { verdict, approval } = await agent.ask(command);
  assert.equal(verdict, 'review');
  return scene.get(`/v1/approvals/${approval}`);
}
