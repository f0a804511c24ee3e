import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type Claim,
  HallFixture,
  type ProjectFixture,
  type WorkerFixture,
} from '../support/hall-fixture.ts';
import { HallInProcess } from '../support/hall-in-process.ts';
import { guildhall } from './cli-command.ts';

let hall: HallInProcess;
let fixture: HallFixture;
let shop: ProjectFixture;

before(async () => {
  hall = await HallInProcess.start();
  fixture = new HallFixture(hall);
  shop = await fixture.project();
});
after(async () => {
  fixture[Symbol.dispose]();
  await hall[Symbol.asyncDispose]();
});

/** What a command prints for a person. */
async function printed(...args: string[]): Promise<string> {
  const ended = await guildhall([...args, '--config', hall.config], { cwd: hall.folder });
  return ended.stdout + ended.stderr;
}

/** Without the path of the launcher in this clone. */
function plain(text: string): string {
  return text.replaceAll(/node \S+\/(?=guildhall\.js)/g, '');
}

function report(worker: WorkerFixture, claim: Claim, content: object): Promise<unknown> {
  return worker.mustCall('report', claim, content);
}

describe('task why', () => {
  test('GH-010b: task why names the missing invoker where the hall starts workers itself, else the missing worker', async () => {
    const own = await fixture.project({ repo: 'file:/nowhere' });
    const task = await own.post();
    const why = await printed('task', 'why', task);
    assert.match(why, /^no_invoker: no invoker pays for runs; declare one under `invokers:`/m);
    assert.doesNotMatch(why, /no_worker/);
    const other = await fixture.project();
    const elsewhere = await printed('task', 'why', await other.post());
    assert.match(elsewhere, /^no_worker: /m, 'where it starts none, a worker is what is missing');
  });
});

describe('a pull request without a reviewer', () => {
  test('thread show, task why, board and health report a pull request without a reviewer, and what to do', async () => {
    const dev = { git: { name: 'Dev', email: 'dev@guildhall.invalid' }, model: 'any' };
    const own = { name: 'own', repo: 'file:/nowhere', ci: 'none', merge_policy: 'on-approval' };
    await using alone = await HallInProcess.start({ types: { dev }, declared: [own] });
    using lone = new HallFixture(alone);
    await lone.post('/v1/tasks', [{ project: 'own', title: 'it' }]);
    const worker = await lone.worker({ projects: ['own'] });
    const made = { outcome: 'pr_created', branch: 'hall/dev/issue-1', commit: 'c0ffee0' };
    const claim = await worker.claimed();
    await worker.mustCall('report', claim, made);

    const says = 'no agent can approve: declare a type reviewer and list it in approvers';
    const { thread } = claim.task;
    const here = (command: string) => `guildhall.js ${command} --config ${alone.config}`;
    const ways = `waits for a review, but ${says}, or approve it with: ${here('thread review')} ${thread} --approve`;
    const print = (...args: string[]) =>
      guildhall([...args, '--config', alone.config], { cwd: alone.folder });
    const shown = await print('thread', 'show', thread);
    assert.ok(plain(shown.stdout).includes(`\n${ways}\n`), shown.stdout);
    const why = await print('task', 'why', claim.task.id);
    assert.ok(
      plain(why.stdout).includes(
        `  it ${ways}; to merge it once its checks pass: ${here('thread merge')} ${thread}`,
      ),
    );
    assert.ok((await print('board')).stdout.includes(`\nown: ${says}\n`));
    const { components } = await lone.get('/v1/health');
    const reviews = components.find(({ name }: { name: string }) => name === 'reviews');
    assert.equal(reviews.says, `own needs a person to approve: ${says}`);

    await print('thread', 'review', thread, '--approve');
    assert.ok(!(await print('thread', 'show', thread)).stdout.includes('waits for a review'));
  });
});

describe('task show', () => {
  test('task show lists the children of a split task and the command that approves them', async () => {
    const { worker, claim } = await shop.held({ size: 'XL' }, { instance: 'boss-default' });
    const children = Array.from({ length: 5 }, (_, n) => ({ title: `part ${n}` }));
    await report(worker, claim, { outcome: 'completed', children });
    const { id } = claim.task;

    const text = await printed('task', 'show', id);
    assert.match(
      text,
      new RegExp(
        `5 children wait for approval; approve them with: .*guildhall.* task approve .* ${id} `,
      ),
    );
    assert.equal([...text.matchAll(/^t-\d+ +proposed +th-\d+ \(open\) +part \d$/gm)].length, 5);
    assert.match(await printed('task', 'why', id), new RegExp(`guildhall.* task approve .*${id}`));

    const [child] = (await fixture.taskDetail(id)).children;
    const part = await printed('task', 'show', child.task.id);
    const authors = `posted by operator:local, proposed by ${worker.id} \\(boss-default\\)`;
    assert.match(part, new RegExp(authors));
  });

  test('GH-080a: task show prints why a task was rejected, what is missing, the questions and how to reopen it', async () => {
    const { worker, claim } = await shop.held();
    const rejection = {
      reason_code: 'underspecified',
      message: 'nobody can say when this is done',
      missing: ['acceptance criteria'],
      questions: ['Which currency?'],
      suggested_size: 'L',
    };
    await report(worker, claim, { outcome: 'rejected', rejection });
    const text = await printed('task', 'show', claim.task.id);
    assert.match(text, /^underspecified: nobody can say when this is done$/m);
    assert.match(text, /^missing: acceptance criteria$/m);
    assert.match(text, /^asks: Which currency\?$/m);
    assert.match(text, /^suggests size L$/m);
    assert.match(text, new RegExp(`guildhall.* task reopen .*${claim.task.id}`));
  });

  test('X-005a X-005b: task show, task why and events print the reason for a release, a handover and a cancellation', async () => {
    const { claim } = await shop.held();
    const { id, thread } = claim.task;
    await printed('task', 'release', id, '--because', 'it hangs');
    assert.match(await printed('task', 'show', id), /released +it hangs$/m);
    assert.match(await printed('events', '--task', id), /RunEnded .*it hangs/);

    await printed('thread', 'handover', thread, '--because', 'mine now');
    assert.match(await printed('task', 'show', id), /handed over to operator:local .*: mine now/);
    assert.match(await printed('task', 'why', id), /has taken over th-\d+: mine now/);
    const row = new RegExp(`^${thread} +handed over +.* a person +${id} `, 'm');
    assert.match(await printed('thread', 'list'), row);

    await printed('task', 'cancel', id, '--because', 'not wanted');
    assert.match(await printed('task', 'show', id), /^not wanted$/m);
    assert.match(await printed('events', '--task', id), /TaskCancelled .*not wanted/);
    const why = await printed('task', 'why', id);
    assert.match(
      why,
      new RegExp(
        `task_closed: it is cancelled: not wanted\\n +reopen it as a new task with: .*guildhall.* task reopen .*${id}`,
      ),
    );
  });

  test('X-004a: task show, task why and events print why the hall, the project and the agent are paused', async () => {
    const task = await shop.post();
    for (const what of [
      ['pause'],
      ['project', 'pause', shop.name],
      ['agents', 'pause', 'dev-default'],
    ]) {
      await printed(...what, '--because', `reason of ${what[0]}`);
    }
    for (const text of [await printed('task', 'show', task), await printed('task', 'why', task)]) {
      for (const reason of ['pause', 'project', 'agents']) {
        assert.match(text, new RegExp(`reason of ${reason}`));
      }
    }
    const events = await printed('events', '--limit', '5');
    for (const reason of ['pause', 'project', 'agents']) {
      assert.match(events, new RegExp(`reason of ${reason}`));
    }
  });
});
