import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { gitAs, write } from '../support/git-fixture.ts';
import { type Json, until } from '../support/hall-fixture.ts';
import { DEV, type Provider, WorkersFixture } from '../support/worker-fixture.ts';

/** One skill, from a small repository to what the hall must see when an agent has used it. */
export interface SkillCase {
  readonly skill: string;
  readonly project?: object;
  /** Types of agents of the hall; one that is left out does nothing by itself. */
  readonly types: readonly ('boss' | 'dev' | 'reviewer')[];
  /** Makes the hall post a task of the skill, and answers its id. */
  readonly begin: (stage: WorkersFixture) => Promise<string>;
  /** What a model does that has the skill; played where no real one is asked. */
  readonly rehearsal: readonly object[];
  readonly sees: (stage: WorkersFixture, whole: Json) => Promise<void> | void;
}

/** The repository of every case: prices of a shop, with a test. */
const FILES = {
  'package.json': '{ "type": "module", "private": true }\n',
  'CLAUDE.md': 'Tests are run with `node --test`.\n',
  'price.js': "export const price = (cents) => '€' + (cents / 100).toFixed(2);\n",
  'price.test.js': [
    "import assert from 'node:assert/strict';",
    "import { test } from 'node:test';",
    "import { price } from './price.js';",
    "test('cents are kept', () => assert.equal(price(1234), '€12.34'));",
    '',
  ].join('\n'),
  'specs/stock.md': [
    '# Stock',
    '## Count\nA function `count(items)` that adds up their `amount`.',
    '## Warn\nA function `low(items)`: those with fewer than three left. It uses nothing of Count.',
    '',
  ].join('\n\n'),
};

/** Plays a case to its end: with the model of the provider, or by its rehearsal. */
export async function playCase(one: SkillCase, provider?: Provider, model?: string): Promise<void> {
  const type = { ...DEV, ...(model !== undefined && { model }) };
  const scenes = [{ name: one.skill, steps: [...one.rehearsal, 'end'] }];
  await using stage = await WorkersFixture.open({
    script: `scenes: ${JSON.stringify(scenes)}`,
    types: Object.fromEntries(one.types.map((name) => [name, type])),
    project: { ...one.project },
    files: (work) => write(work, FILES),
    ...(provider && { provider }),
  });
  const id = await one.begin(stage);
  const whole = await ended(stage, id);
  assert.equal(whole.task.skill, one.skill);
  await one.sees(stage, whole);
}

const OPEN = ['available', 'blocked', 'claimed', 'running'];
/** A real model thinks for as long as it likes. */
const PATIENCE = 15 * 60_000;

async function ended({ fixture }: WorkersFixture, id: string): Promise<Json> {
  const deadline = performance.now() + PATIENCE;
  for (;;) {
    const whole = await fixture.taskDetail(id);
    if (!OPEN.includes(whole.task.state)) return whole;
    assert.ok(performance.now() < deadline, `${id} is not over: ${JSON.stringify(whole.task)}`);
    await pause(100);
  }
}

export interface HandMade {
  readonly thread: string;
  readonly branch: string;
}

/** A pull request as an agent before this one left it: made by hand, so that no model is asked for it. */
export async function pullRequest(
  stage: WorkersFixture,
  { title, body, files }: { title: string; body: string; files: Readonly<Record<string, string>> },
): Promise<HandMade> {
  const { fixture } = stage;
  const worker = await fixture.worker({ projects: ['shop'] });
  // Who waits already is given the task, before the hall starts anybody for it.
  const waiting = worker.claim({ wait_seconds: 50 });
  await until('it waits', async () => {
    const { workers } = await fixture.get('/v1/workers');
    return workers.some((each: Json) => each.id === worker.id && each.waiting);
  });
  await stage.post({ title, body });
  const { body: claim } = await waiting;
  await worker.mustCall('start', claim);
  const { branch } = (await worker.caller.get(`/v1/runs/${claim.run}/brief`)).body;
  const commit = commitTo(stage, branch, files, title);
  await worker.complete(claim, { outcome: 'pr_created', summary: title, branch, commit });
  await worker.caller.call('DELETE', `/v1/workers/${worker.id}`);
  return { thread: claim.task.thread, branch };
}

/** Commits files on top of main to a branch of the repository. */
export function commitTo(
  { upstream }: WorkersFixture,
  branch: string,
  files: Readonly<Record<string, string>>,
  message: string,
): string {
  const work = `${upstream}.work`;
  gitAs(work, 'checkout', '--quiet', '-B', 'by-hand', 'main');
  write(work, files);
  gitAs(work, 'add', '-A');
  gitAs(work, 'commit', '--quiet', '-m', message);
  gitAs(work, 'push', '--quiet', upstream, `by-hand:refs/heads/${branch}`);
  return gitAs(work, 'rev-parse', 'HEAD');
}

/** The task of a skill that the hall itself posts in a thread. */
export function posted(
  { fixture }: WorkersFixture,
  thread: string,
  skill: string,
): Promise<string> {
  return until(`${skill} is posted in ${thread}`, async () => {
    const { tasks } = await fixture.get(`/v1/threads/${thread}`);
    return tasks.find((task: Json) => task.skill === skill)?.id;
  });
}
