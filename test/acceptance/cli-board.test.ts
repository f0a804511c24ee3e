import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { held, working } from '../support/acceptance-tools.ts';
import { HallFixture, type Json, type ProjectFixture, until } from '../support/hall-fixture.ts';
import { HallInProcess } from '../support/hall-in-process.ts';
import { begun, guildhall } from './cli-command.ts';

let hall: HallInProcess;
let fixture: HallFixture;

before(async () => {
  hall = await HallInProcess.start();
  fixture = new HallFixture(hall);
});
after(async () => {
  fixture[Symbol.dispose]();
  await hall[Symbol.asyncDispose]();
});

async function printed(...args: string[]): Promise<string> {
  const { stdout, stderr } = await guildhall([...args, '--config', hall.config], {
    cwd: hall.folder,
  });
  return stdout + stderr;
}

async function needs(project: Pick<ProjectFixture, 'name'>): Promise<readonly Json[]> {
  const { needs_person: all } = await fixture.get('/v1/board');
  return all.filter((each: Json) => each.project === project.name);
}

/** Each need as a person reads it: what it is, why, and what to type. */
function inShort({ kind, id, title, because, command }: Json): readonly string[] {
  return [kind, id, title, because, command];
}

describe('what needs a person', () => {
  test('the board begins with questions, approvals, threads handed over, failures and rejections, each with the command to type', async () => {
    const shop = await fixture.project();
    const asks = await shop.held({ title: 'Paint it' });
    await asks.worker.mustCall('ask', asks.claim, { question: 'Which colour?\nBlue or red?' });
    const left = await shop.held({ title: 'Move it' });
    await left.worker.complete(left.claim, { outcome: 'pr_created', ...PULL_REQUEST });
    await fixture.post(`/v1/threads/${left.claim.task.thread}/handover`, { because: 'I do it' });
    const fails = await shop.held({ title: 'Break it' });
    const failure = { outcome: 'failed', summary: 'no compiler\nmore about it' };
    await fails.worker.mustCall('report', fails.claim, failure);
    const refuses = await shop.held({ title: 'Guess it' });
    await refuses.worker.mustCall('report', refuses.claim, { outcome: 'rejected', ...REJECTION });
    const agent = await working(fixture, shop);
    const { id: approval } = await held(fixture, agent, 'rm -r ./temp');

    const [question, handover, failed, rejected] = [asks, left, fails, refuses].map(
      ({ claim }) => claim.task,
    );
    assert.deepEqual((await needs(shop)).map(inShort), [
      [
        'question',
        question.id,
        'Paint it',
        'Which colour?',
        `guildhall task answer ${question.id} "…"`,
      ],
      [
        ...['handed_over', handover.thread, 'Move it', 'I do it'],
        `guildhall thread handback ${handover.thread}`,
      ],
      ['failed', failed.id, 'Break it', 'no compiler', `guildhall task reopen ${failed.id}`],
      ['rejected', rejected.id, 'Guess it', 'which one?', `guildhall task reopen ${rejected.id}`],
      [
        ...['approval', approval, agent.claim.task.title, 'rm -r ./temp'],
        `guildhall approvals approve ${approval}`,
      ],
    ]);
    const board = await printed('board');
    assert.match(board, /^5 waiting for a person\nquestion .* Paint it: Which colour\?\n/);
    assert.match(
      board,
      new RegExp(`^ +.*guildhall.* thread handback --config \\S+ ${handover.thread}$`, 'm'),
    );
    const first = board.indexOf('waiting for a person');
    assert.ok(first < board.indexOf('PROJECT'), board);

    await fixture.post(`/v1/tasks/${question.id}/answer`, { text: 'Blue.' });
    await fixture.post(`/v1/threads/${handover.thread}/handback`);
    await fixture.post(`/v1/tasks/${failed.id}/reopen`);
    await fixture.post(`/v1/tasks/${rejected.id}/reopen`);
    const { nonce } = await fixture.get(`/v1/approvals/${approval}`);
    await fixture.post(`/v1/approvals/${approval}`, { answer: 'approve', nonce });
    assert.deepEqual(await needs(shop), [], 'each command moves its task or thread on');
  });

  test('proposed tasks of one decomposition are one entry', async () => {
    const shop = await fixture.project();
    const { worker, claim } = await shop.held({ title: 'Shop', size: 'XL' }, BOSS);
    await worker.complete(claim, { children: parts(6) });
    const [proposal, ...others] = await needs(shop);
    assert.deepEqual([proposal.title, proposal.because], ['Shop', '6 proposed tasks to approve']);
    assert.deepEqual(others, []);
  });

  test('the board at a past time shows what needed a person then', async () => {
    const shop = await fixture.project();
    const { worker, claim } = await shop.held({ title: 'Paint it' });
    await worker.mustCall('ask', claim, { question: 'Which colour?' });
    const { at } = await fixture.get('/v1/board');
    await fixture.post(`/v1/tasks/${claim.task.id}/answer`, { text: 'Blue.' });
    const past = await fixture.get(`/v1/board?at=${at}`);
    const then = past.needs_person.filter((each: Json) => each.project === shop.name);
    assert.deepEqual(
      then.map(({ kind, title }: Json) => [kind, title]),
      [['question', 'Paint it']],
    );
    const task = past.tasks.find(({ id }: Json) => id === claim.task.id);
    assert.equal(task.state, 'awaiting_input');
  });
});

describe('tasks on the board', () => {
  test('GH-T09b GH-T09c: the board and its API show "3 of 10 completed" for a split task', async () => {
    const shop = await fixture.project();
    const { worker, claim } = await shop.held({ title: 'The whole shop', size: 'XL' }, BOSS);
    await worker.complete(claim, { children: parts(10) });
    await fixture.post(`/v1/tasks/${claim.task.id}/approve`);
    const dev = await shop.worker();
    for (let done = 0; done < 3; done += 1) await dev.complete(await dev.claimed());
    const { parents } = await fixture.get('/v1/board');
    const parent = parents.find(({ id }: Json) => id === claim.task.thread);
    assert.deepEqual(parent, {
      id: claim.task.thread,
      project: shop.name,
      title: 'The whole shop',
      children: 10,
      children_done: 3,
      progress: '3 of 10 completed',
    });
    assert.match(await printed('board'), /^th-\d+ .* The whole shop: 3 of 10 completed$/m);
  });

  test('the board lists active tasks first, then ended ones, with state, age and cost', async () => {
    await using other = await HallInProcess.start();
    using alone = new HallFixture(other);
    const shop = await alone.project();
    const ended = await shop.held({ title: 'Ended' });
    await ended.worker.mustCall('usage', ended.claim, USAGE);
    await ended.worker.complete(ended.claim);
    await shop.held({ title: 'Held' });
    const { tasks } = await alone.get('/v1/board');
    assert.deepEqual(
      tasks.map(({ title, state, cost_usd }: Json) => [title, state, cost_usd]),
      [
        ['Held', 'claimed', 0],
        ['Ended', 'completed', USAGE.cost_usd],
      ],
    );
    const { stdout } = await guildhall(['board', '--config', other.config], { cwd: other.folder });
    assert.match(stdout, /^t-\d+ +claimed +\d+s ago +\S+ +– +Held$/m);
    assert.match(stdout, /^t-\d+ +completed +\d+s ago +\S+ +\$1\.25 +Ended$/m);
  });

  test('board --watch prints the board again when it changes, until it is interrupted', async () => {
    const shop = await fixture.project();
    const watching = begun(['board', '--watch', '--json', '--config', hall.config], {
      cwd: hall.folder,
    });
    const boards = () => watching.stdout().trim().split('\n').filter(Boolean);
    await until('the first board', () => boards().length === 1);
    await shop.post({ title: 'Seen while watching' });
    await until('the next board', () => boards().length > 1);
    assert.match(boards().at(-1) ?? '', /Seen while watching/);
    watching.signal('SIGINT');
    assert.equal(await watching.ended, 130);
  });
});

const BOSS = { instance: 'boss-default' };
const USAGE = { input_tokens: 1, output_tokens: 1, turns: 1, cost_usd: 1.25 };
const PULL_REQUEST = {
  branch: 'hall/dev/issue-1',
  pr: { number: 7, url: 'https://forge.invalid/shop/pulls/7' },
};
const REJECTION = { rejection: { reason_code: 'underspecified', message: 'which one?' } };

function parts(count: number): readonly object[] {
  return Array.from({ length: count }, (_, n) => ({ title: `part ${n + 1}`, ref: `p${n + 1}` }));
}
