import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { STORES } from '../support/acceptance-stores.ts';
import { forgeFixture } from '../support/forge-fixture.ts';
import { expectOk, HallFixture, type Json, searched, until } from '../support/hall-fixture.ts';
import type { HallProcess } from '../support/hall-process.ts';
import { type Ended, guildhall } from './cli-command.ts';

/** The specification's limit for a person to find a task, in milliseconds. */
const LIMIT = 30_000;

async function on(
  { config, folder }: Pick<HallProcess, 'config' | 'folder'>,
  ...args: readonly string[]
): Promise<Ended> {
  const began = performance.now();
  const ended = await guildhall([...args, '--config', config], { cwd: folder });
  assert.ok(performance.now() - began < LIMIT, args.join(' '));
  return ended;
}

/** The ids and states that a search prints. */
async function listed(
  hall: Pick<HallProcess, 'config' | 'folder'>,
  ...args: readonly string[]
): Promise<readonly string[]> {
  const { code, stdout, stderr } = await on(hall, 'task', 'list', ...args);
  assert.equal(code, 0, stderr);
  const [, ...rows] = stdout.trimEnd().split('\n');
  return rows.map((row) => row.split(/\s+/).slice(0, 2).join(' '));
}

const PR = { number: 7, url: 'https://forge.example/acme/shop/pull/7' };

for (const proven of STORES) {
  describe(`search, on ${proven.store}`, () => {
    const shared = proven.sharedHall();

    shared.test(
      'GH-014a: the CLI prints the state of any task by its id, by words of its title and by words of its text',
      async (fixture) => {
        const { hall } = fixture;
        const shop = await fixture.project();
        const { worker, claim } = await shop.held({ title: 'Round prices', body: 'To the cent.' });
        await worker.complete(claim);
        const { claim: held, worker: busy } = await shop.held({ title: 'Preise runden' });
        await busy.mustCall('start', held);
        const cancelled = await shop.post({ title: '价格四舍五入', body: '精确到分' });
        await fixture.post(`/v1/tasks/${cancelled}/cancel`);
        const edited = await shop.post({ title: 'A mistake', body: 'nothing' });
        const change = { title: 'Show the rounding', body: 'In the “cart” (C#).' };
        expectOk(await fixture.caller.call('PATCH', `/v1/tasks/${edited}`, change));
        await searched(fixture.caller);

        const done = claim.task.id;
        const states: readonly (readonly [id: string, state: string, words: readonly string[]])[] =
          [
            [done, 'completed', ['ROUND prices', 'the cent', 'prices cent.', '"cent" prices']],
            [held.task.id, 'running', ['preise', 'PREISE-RUNDEN', 'runden prei']],
            [cancelled, 'cancelled', ['四舍五入', '精确', '价格 分']],
            [edited, 'available', ['rounding', 'cart c#', 'show (cart)']],
          ];
        for (const [id, state, searches] of states) {
          const shown = await on(hall, 'task', 'show', id);
          assert.match(shown.stdout, new RegExp(`^${id}  .*\n${state} since`));
          for (const words of searches) {
            const found = await listed(hall, words, '--project', shop.name);
            assert.deepEqual(found, [`${id} ${state}`], words);
          }
        }
        const gone = await on(hall, 'task', 'list', 'mistake', '--project', shop.name);
        assert.equal(gone.stdout, 'no tasks found\n');
      },
    );

    proven.test(
      'GH-014b: the CLI prints the state of a task by the URL of its issue and by its branch',
      async (place) => {
        await using forge = await forgeFixture('github');
        const { control } = forge.forge;
        control.addPerson('ada');
        control.addOrganization('acme');
        await control.addRepository('acme/shop', { files: { 'README.md': 'shop\n' } });
        control.setRole('acme/shop', 'ada', 'write');
        const token = control.addPerson('hall');
        control.setRole('acme/shop', 'hall', 'write');
        const ada = control.as('ada');
        const numbers = ['Add a.txt', 'Add b.txt'].map((title) => {
          const number = ada.openIssue('acme/shop', { title, body: 'please' });
          ada.addLabels('acme/shop', number, ['hall:dev']);
          return number;
        });
        const { url, apiUrl: api_url } = forge.forge;
        const github = { url, api_url, token: '$GH_TOKEN', poll: { active: '1s', idle: '1s' } };
        const hall = await place.start({
          env: { GH_TOKEN: token },
          forges: { github },
          declared: [{ name: 'shop', repo: 'github:acme/shop' }],
        });
        using fixture = new HallFixture(hall);
        const tasks: readonly Json[] = await until('the hall has seen both issues', async () => {
          const { tasks: seen } = await fixture.get('/v1/tasks');
          return seen.length === 2 && seen;
        });
        await searched(fixture.caller);
        const issueOf = (number = 0) => `${url}/acme/shop/issues/${number}`;
        for (const [n, title] of ['Add a.txt', 'Add b.txt'].entries()) {
          const { id } = tasks.find((task) => task.title === title);
          const shown = await on(hall, 'task', 'show', issueOf(numbers[n]));
          assert.match(shown.stdout, new RegExp(`^${id}  ${title}\navailable since`));
          assert.deepEqual(await listed(hall, '--link', `${issueOf(numbers[n])}#issue-x`), [
            `${id} available`,
          ]);
        }

        const worker = await fixture.worker();
        const claim = await worker.claimed();
        const branch = `hall/dev/issue-${numbers[0]}`;
        await worker.complete(claim, { branch });
        await searched(fixture.caller);
        const shown = await on(hall, 'task', 'show', branch);
        assert.match(shown.stdout, new RegExp(`^${claim.task.id}  .*\ncompleted since`));
        assert.deepEqual(await listed(hall, '--branch', branch), [`${claim.task.id} completed`]);
        assert.deepEqual(await listed(hall, branch), [`${claim.task.id} completed`]);
      },
    );

    shared.test(
      'task show takes the branch or a link and prints the newest of several tasks',
      async (fixture) => {
        const { hall } = fixture;
        const shop = await fixture.project();
        const { worker, claim } = await shop.held({ body: 'See https://forge.example/a/1.' });
        const branch = `topic/${shop.name}`;
        await worker.mustCall('report', claim, { outcome: 'pr_created', branch, pr: PR });
        await searched(fixture.caller);
        const link = await on(hall, 'task', 'show', 'https://forge.example/a/1', '--json');
        assert.equal(JSON.parse(link.stdout).task.id, claim.task.id);

        const again = await fixture.post(`/v1/tasks/${claim.task.id}/reopen`);
        await searched(fixture.caller);
        const shown = await on(hall, 'task', 'show', branch);
        assert.match(shown.stdout, new RegExp(`^${again.id}  `));
        assert.match(
          shown.stderr,
          /the newest of several tasks; all of them: .* task list .*--branch/,
        );
        assert.equal((await listed(hall, '--branch', branch)).length, 2);

        const missing = await on(hall, 'task', 'show', 'topic/nowhere');
        assert.equal(missing.code, 1);
        assert.match(
          missing.stderr,
          /no task has the branch topic\/nowhere; to search for its words: .* task list .*topic\/nowhere/,
        );
        const wrong = await on(hall, 'task', 'show', '12');
        assert.deepEqual([wrong.code, /such as t-12/.test(wrong.stderr)], [2, true]);
      },
    );

    proven.test(
      'a hall that was killed while it filled the search index completes it, and says how far it is',
      async (place) => {
        const hall = await place.startProcess({ projects: { shop: 1 } });
        const caller = hall.caller();
        const body = Array.from({ length: 40 }, (_, n) => `word${n}`).join(' ');
        const tasks = Array.from({ length: 1_000 }, (_, n) => ({
          ...{ project: 'shop', title: `Sweep ${n}`, body },
        }));
        expectOk(await caller.post('/v1/tasks', tasks));
        await until('the index has begun', async () => {
          const { tasks: found, search } = expectOk(await caller.get('/v1/tasks?text=sweep'));
          assert.ok(search.indexed_to <= search.log_end);
          return found.length > 0;
        });
        caller.close();
        await hall.stop('SIGKILL');

        await hall.start();
        const after = hall.caller();
        await searched(after);
        for (const words of ['sweep', 'word39 sweep', 'sweep word7']) {
          const { stdout } = await on(hall, 'task', 'list', words, '--all', '--json');
          assert.equal(JSON.parse(stdout).tasks.length, 1_000, words);
        }
        after.close();
      },
    );
  });
}
