import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Json, until } from '../support/hall-fixture.ts';
import { SourceHall } from '../support/source-hall.ts';
import { REPO, sourceForge } from '../support/sources-under-test.ts';

describe('issues as a source', () => {
  it('GH-T01: a project registered with a GitHub issues source appears in the state of the board', async () => {
    await using shop = await sourceForge('github');
    const number = shop.ada.openIssue(REPO, { title: 'Add a cart', body: 'please' });
    shop.ada.addLabels(REPO, number, ['ready']);
    await using hall = await shop.start({ labels: ['ready'] });
    await hall.sync();
    const { projects, sources } = await hall.fixture.get('/v1/board');
    assert.deepEqual(
      projects.map(({ name, open }: Json) => [name, open]),
      [['shop', 1]],
    );
    const [{ id, kind, project, progress }] = sources;
    assert.deepEqual(
      [id, kind, project, progress],
      ['shop-github-issues', 'github-issues', 'shop', '0 of 1 completed, 1 waiting'],
    );
    const { thread } = await hall.fixture.taskDetail((await hall.taskCalled('Add a cart')).id);
    assert.equal(thread.issue.number, number);
  });

  it('GH-053b: labels and sizes of issues change nothing in their order', async () => {
    await using shop = await sourceForge('github');
    for (const labels of [['size:l'], ['size:xs', 'priority:critical'], ['urgent']]) {
      const number = shop.ada.openIssue(REPO, { title: labels.join(' '), body: '' });
      shop.ada.addLabels(REPO, number, ['ready', ...labels]);
    }
    await using hall = await shop.start({ labels: ['ready'] });
    await hall.sync();
    const worker = await hall.fixture.worker();
    const order: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const claim = await worker.claimed();
      order.push(`${claim.task.size} ${claim.task.title}`);
      await worker.complete(claim);
    }
    assert.deepEqual(order, ['L size:l', 'XS size:xs priority:critical', 'M urgent']);
  });

  it('an issue is posted only if the person who set the label, or else its author, may write; others are listed with the reason', async () => {
    await using shop = await sourceForge('github');
    const mine = shop.ada.openIssue(REPO, { title: 'Mine', body: '' });
    const strange = shop.eve.openIssue(REPO, { title: 'Strange', body: '' });
    await using open = await shop.start({});
    const { not_posted } = await open.sync();
    assert.deepEqual(not_posted, [
      {
        item: `github:${REPO}#${strange}`,
        title: 'Strange',
        because: 'its author eve has no write access to the repository',
      },
    ]);
    assert.deepEqual(
      (await open.tasks()).map(({ title, posted_by }) => [title, posted_by]),
      [['Mine', 'github:ada']],
    );
    shop.ada.addLabels(REPO, strange, ['ready']);
    await using labelled = await shop.start({ labels: ['ready'] });
    await labelled.sync();
    assert.deepEqual(
      (await labelled.tasks()).map(({ title }) => title),
      ['Strange'],
    );
    assert.ok(mine > 0);
  });

  it("the text of a stranger's issue is used as it was when the label was set, until it is set again", async () => {
    await using shop = await sourceForge('github');
    const number = shop.eve.openIssue(REPO, { title: 'Strange', body: 'be nice' });
    shop.ada.addLabels(REPO, number, ['ready']);
    await using hall = await shop.start({ labels: ['ready'] });
    await hall.sync();
    shop.eve.editIssue(REPO, number, { title: 'Stranger', body: 'be evil' });
    await hall.sync();
    const [{ id }] = (await hall.tasks()) as [Json];
    assert.equal((await hall.fixture.task(id)).body, 'be nice');
    shop.ada.removeLabel(REPO, number, 'ready');
    await hall.sync();
    shop.ada.addLabels(REPO, number, ['ready']);
    await hall.sync();
    assert.equal((await hall.fixture.task((await hall.taskCalled('Stranger')).id)).body, 'be evil');
  });

  it('an issue that a label and a source both name is one thread with one task', async () => {
    await using shop = await sourceForge('github');
    const number = shop.ada.openIssue(REPO, { title: 'Both', body: '' });
    shop.ada.addLabels(REPO, number, ['hall:dev', 'ready']);
    await using hall = await shop.start({ labels: ['ready'] });
    await hall.sync();
    await until('both were seen', async () => (await hall.source()).counts.total === 1);
    await hall.sync();
    assert.equal((await hall.tasks()).length, 1);
    assert.equal((await hall.fixture.get('/v1/threads')).threads.length, 1);
  });

  it('a closed and a deleted issue cancel their tasks', async () => {
    await using shop = await sourceForge('github');
    const open = (title: string) => {
      const number = shop.ada.openIssue(REPO, { title, body: '' });
      shop.ada.addLabels(REPO, number, ['ready']);
      return number;
    };
    const [closed, deleted] = [open('Close me'), open('Delete me')];
    await using hall = await shop.start({ labels: ['ready'] });
    await hall.sync();
    shop.ada.closeIssue(REPO, closed);
    shop.forge.control.setRole(REPO, 'ada', 'admin');
    shop.ada.deleteIssue(REPO, deleted);
    const { progress } = await hall.sync();
    assert.equal(progress, '0 of 0 completed');
    assert.deepEqual(
      (await hall.tasks()).map(({ title, state, summary }) => [title, state, summary]),
      [
        ['Close me', 'cancelled', 'its issue was closed'],
        ['Delete me', 'cancelled', 'its issue was deleted'],
      ],
    );
  });
});

describe('a source that cannot be read', () => {
  it('GH-T10a GH-T10b GH-032a GH-032b GH-032c GH-029b: is retried five times with growing waits, then probed until it heals, while the board goes on', async () => {
    await using shop = await sourceForge('github');
    const number = shop.ada.openIssue(REPO, { title: 'Add a cart', body: '' });
    shop.ada.addLabels(REPO, number, ['ready']);
    await using hall = await shop.start({ labels: ['ready'] });
    await hall.sync();
    assert.equal((await hall.health()).status, 'up');
    shop.forge.faults.inject({ is: 'status', status: 500 }, { times: Number.POSITIVE_INFINITY });
    await hall.sync();

    const failures = await until('all retries have failed', async () => {
      const { events } = await hall.fixture.get('/v1/events?type=SourceFailed&order=oldest');
      return events.length === 6 && (events as Json[]);
    });
    assert.deepEqual(
      failures.map(({ facts: { tries } }) => tries),
      [1, 2, 3, 4, 5, 6],
    );
    const times = failures.map(({ at }) => Date.parse(at));
    const waits = times.slice(1).map((at, n) => at - (times[n] ?? 0));
    for (const [n, wait] of waits.entries()) assert.ok(wait >= 50 * 2 ** n - 5, `${waits}`);
    const { status, says } = await hall.health();
    assert.equal(status, 'degraded');
    assert.match(
      says,
      /^shop-github-issues: task source unavailable: .*500.*gave up after 5 retries/,
    );
    assert.equal((await hall.fixture.get('/v1/health')).status, 'degraded');

    const worker = await hall.fixture.worker();
    await worker.complete(await worker.claimed());
    assert.equal((await hall.taskCalled('Add a cart')).state, 'completed');

    shop.forge.faults.clear();
    await until('it is read again', async () => (await hall.health()).status === 'up');
    const { events } = await hall.fixture.get('/v1/events?type=SourceFailed');
    assert.equal(events.length, 6);
  });

  it('GH-029b: is degraded while nobody reads it, with the reason', async () => {
    await using hall = await SourceHall.start({
      sources: [{ kind: 'spec-files' }, { kind: 'api' }],
    });
    assert.deepEqual(await hall.health(), {
      name: 'sources',
      status: 'degraded',
      says: 'shop-spec-files: nobody reads it: project shop has no repository',
    });
    const { code, stderr } = await hall.run('sources', 'sync', 'none');
    assert.equal(code, 1);
    assert.match(stderr, /there is no task source none\n.*sources list/);
  });
});
