import assert from 'node:assert/strict';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type GitFixture, gitAs, gitFixture, PATH } from '../../../test/support/git-fixture.ts';
import { type RunningHall, startHall } from '../../../test/support/hall.ts';
import { type Json, until } from '../../../test/support/hall-fixture.ts';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import { reconcilePullRequests } from '../../board/reconcile-pull-requests.ts';
import { createRedactor } from '../../domain/redaction.ts';
import { createGitWorkspaces } from '../git/workspaces.ts';
import { createUnisolatedCells } from '../processes/unisolated-cells.ts';
import { createLocalForge } from './local-forge.ts';

const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };
const RED = { 'check.sh': 'echo broken on purpose; exit 1\n' };
const GREEN = { 'check.sh': 'exit 0\n' };

describe('checks on the base of a branch', () => {
  it('a thread whose base is red waits with both outputs, and continues on a newer base that is green', async () => {
    await using shop = await openShop();
    const start = shop.push(RED, 'main');
    const thread = await shop.openPullRequest({ 'a.txt': '1\n' });
    const other = await shop.openPullRequest({ 'b.txt': '1\n' });

    const { handed_over } = await shop.shows(thread, (it) => it.handed_over !== null);
    assert.match(handed_over.because, /^`tests` is red on main already, at [0-9a-f]{12}\n/);
    await shop.shows(other, (it) => it.handed_over !== null);
    const notes = await shop.notesOf(thread);
    assert.match(notes['checks'] ?? '', /broken on purpose/);
    assert.match(notes['base_checks'] ?? '', /^on main at [0-9a-f]{12}:\n.*broken on purpose/s);
    assert.equal((await shop.checked()).filter((commit) => commit === start).length, 1);

    const mended = shop.push(GREEN, 'main');
    const { head, checks } = await shop.showsLater(thread, (it) => it.checks?.is === 'green');
    assert.equal(shop.git('merge-base', 'main', head), mended);
    assert.deepEqual([checks.base.commit, checks.mended], [mended, []]);
    await shop.showsLater(other, (it) => it.checks?.is === 'green');
    assert.equal((await shop.checked()).filter((commit) => commit === mended).length, 1);
  });

  it('the handback checks what a person pushed to the branch, and no agent is paid for a red commit', async () => {
    await using shop = await openShop({ max_retries: 0 });
    shop.push(GREEN, 'main');
    const thread = await shop.openPullRequest(RED);
    const { branch, handed_over } = await shop.shows(thread, (it) => it.handed_over !== null);
    assert.match(handed_over.because, /checks failed 1 times in a row/);
    const fixed = shop.push(GREEN, branch);
    await shop.act(thread, 'handback');
    const { head, tasks } = await shop.shows(thread, (it) => it.checks?.is === 'green');
    assert.deepEqual([head, tasks.length], [fixed, 1]);
    assert.deepEqual(await shop.skillsOf(thread), ['implement', 'review']);
  });

  it('a branch that mends a check of its base says so in the thread and in the merge', async () => {
    await using shop = await openShop({ merge_method: 'squash' });
    const start = shop.push(RED, 'main').slice(0, 12);
    const thread = await shop.openPullRequest(GREEN);
    const { checks } = await shop.shows(thread, (it) => it.checks?.mended.length === 1);
    assert.deepEqual(checks.mended, ['tests']);

    await shop.merge(thread);
    assert.equal(
      shop.git('log', '-1', '--format=%s|%b', 'main'),
      `task 1 (#${thread.slice(3)})|Mended checks: tests (red on main at ${start}).`,
    );
    const before = (await shop.checked()).length;
    const next = await shop.openPullRequest({ 'a.txt': '1\n' });
    const shown = await shop.shows(next, (it) => it.checks !== null);
    assert.deepEqual(shown.checks.base.failing, [], 'the merged files were checked as a branch');
    assert.equal((await shop.checked()).length, before + 1);
  });
});

/** A hall with the project home on a repository of its own, and the reconciler on a manual clock. */
async function openShop(settings: object = {}): Promise<Shop> {
  const fixture = gitFixture();
  const log = join(fixture.folder, 'checked');
  const hall = await startHall();
  const checks = [{ name: 'tests', run: `git rev-parse HEAD >> ${log}; sh check.sh` }];
  const project = { name: 'home', repo: `file:${fixture.upstream}`, checks, ...settings };
  assert.equal((await hall.caller.post('/v1/projects', project)).status, 201);
  return new Shop(hall, fixture, log);
}

class Shop implements AsyncDisposable {
  readonly push: GitFixture['commitUpstream'];
  readonly #hall: RunningHall;
  readonly #fixture: GitFixture;
  readonly #log: string;
  readonly #clock = createManualClock();
  readonly #reconciler: ReturnType<typeof reconcilePullRequests>;
  #branches = 0;

  constructor(hall: RunningHall, fixture: GitFixture, log: string) {
    this.#hall = hall;
    this.#fixture = fixture;
    this.#log = log;
    this.push = fixture.commitUpstream;
    const cells = createUnisolatedCells({ path: PATH });
    const forge = createLocalForge({
      workspaces: createGitWorkspaces(fixture.settings),
      cellsFor: async () => cells,
      folders: foldersIn(fixture.folder),
      redact: createRedactor(() => []),
      prepareVariables: async (env) => ({ env, readable: [] }),
    });
    const clock = this.#clock;
    this.#reconciler = reconcilePullRequests({ hall: hall.hall, host: forge, clock, log: QUIET });
  }

  git(...args: string[]): string {
    return gitAs(this.#fixture.upstream, ...args);
  }

  /** The commits whose checks ran, in order. */
  async checked(): Promise<readonly string[]> {
    return (await readFile(this.#log, 'utf8')).trim().split('\n');
  }

  /** Returns the name of the thread. */
  async openPullRequest(files: Readonly<Record<string, string>>): Promise<string> {
    this.#branches += 1;
    const branch = `hall/dev/issue-${this.#branches}`;
    const commit = this.push(files, branch);
    await this.#hall.post({ project: 'home' });
    const worker = await this.#hall.worker();
    const { body } = await worker.caller.post('/v1/claims', { worker: worker.id });
    const report = { fence: body.fence, outcome: 'pr_created', branch, commit };
    const { status } = await worker.caller.post(`/v1/runs/${body.run}/report`, report);
    assert.equal(status, 200);
    return body.task.thread;
  }

  shows(id: string, isTrue: (thread: Json) => boolean): Promise<Json> {
    return until(`${id} is as expected`, async () => {
      const { thread } = await this.#show(id);
      return isTrue(thread) && thread;
    });
  }

  /** Minutes pass: a look at the base that is still going on when it moves sees it the next time. */
  showsLater(id: string, isTrue: (thread: Json) => boolean): Promise<Json> {
    return this.shows(id, (thread) => {
      this.#clock.pass(60_000);
      return isTrue(thread);
    });
  }

  async notesOf(id: string): Promise<Readonly<Record<string, string>>> {
    const { notes } = await this.#show(id);
    return Object.fromEntries(notes.map(({ kind, text }: Note) => [kind, text]));
  }

  async skillsOf(id: string): Promise<readonly string[]> {
    return (await this.#show(id)).tasks.map(({ skill }: Json) => skill).sort();
  }

  async act(id: string, verb: string): Promise<void> {
    assert.equal((await this.#hall.caller.post(`/v1/threads/${id}/${verb}`)).status, 200);
  }

  /** Without the review that the hall posted. */
  async merge(id: string): Promise<void> {
    for (const task of (await this.#show(id)).thread.tasks) {
      assert.equal((await this.#hall.caller.post(`/v1/tasks/${task}/cancel`)).status, 200);
    }
    await this.act(id, 'merge');
    await until(`${id} is merged`, async () => (await this.#show(id)).thread.state === 'done');
  }

  async #show(id: string): Promise<Json> {
    return (await this.#hall.caller.get(`/v1/threads/${id}`)).body;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reconciler.stop();
    await this.#hall[Symbol.asyncDispose]();
    this.#fixture[Symbol.dispose]();
  }
}

interface Note {
  readonly kind: string;
  readonly text: string;
}

function foldersIn(root: string) {
  return {
    async make(name: string): Promise<string> {
      const folder = join(root, name);
      await mkdir(join(folder, 'cell'), { recursive: true });
      return folder;
    },
    remove: (folder: string) => rm(folder, { recursive: true, force: true }),
  };
}
