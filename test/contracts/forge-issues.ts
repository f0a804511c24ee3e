import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ForgeSnapshot, IssueSnapshot } from '../../src/domain/forge/snapshot.ts';
import type { ForgeServer } from '../support/forge-server.ts';
import type { TheServer } from './forge.contract.ts';

export const NOTHING_SEEN = { comment: 0, review: 0 };

/** Issues, labels, comments and rights. */
export function forgeIssues(name: string, the: TheServer): void {
  test(`${name} says who set a label, and a label that is set again is another event`, async () => {
    const { server, repo, number } = await anIssue(the);
    await server.person('ada').label(repo, number, 'hall:dev');
    const [first] = (await lookAtIssue(server, repo, number)).labels;
    assert.deepEqual([first?.name, first?.by?.login], ['hall:dev', 'ada']);
    await server.person('ada').unlabel(repo, number, 'hall:dev');
    assert.deepEqual((await lookAtIssue(server, repo, number)).labels, []);
    await server.person('bob').label(repo, number, 'hall:dev');
    const [second] = (await lookAtIssue(server, repo, number)).labels;
    assert.equal(second?.by?.login, 'bob');
    assert.notEqual(second?.event, first?.event);
  });

  test(`on ${name} labels are made when they are missing, found in any case, and set once`, async () => {
    const { server, repo, number } = await anIssue(the);
    const set = (add: string[], remove: string[] = []) =>
      server.forge.setLabels({ repo, number, add, remove });
    await set(['hall:queued']);
    await set(['HALL:Queued']);
    const names = async () =>
      (await lookAtIssue(server, repo, number)).labels.map((label) => label.name);
    assert.deepEqual(await names(), ['hall:queued']);
    await set([], ['Hall:queued', 'hall:never-set']);
    assert.deepEqual(await names(), []);
    await set([], ['hall:queued']);
  });

  test(`on ${name} a label name that exists twice counts once, and all of it is removed`, async () => {
    const { server, repo, number } = await anIssue(the);
    const hall = server.person('hall').ask;
    const label = { name: 'hall:queued', color: '0366d6' };
    const ids: number[] = [];
    for (const _ of ['first', 'second']) {
      const { status, body } = await hall('POST', `/repos/${repo}/labels`, label);
      if (status === 201) ids.push(body.id);
    }
    const isGitHub = server.kind === 'github';
    assert.equal(ids.length, isGitHub ? 1 : 2, 'Gitea does not refuse a second one');
    const labels = isGitHub ? [label.name] : ids;
    await hall('POST', `/repos/${repo}/issues/${number}/labels`, { labels });
    assert.equal((await lookAtIssue(server, repo, number)).labels.length, 1);
    await server.forge.setLabels({ repo, number, add: [], remove: [label.name] });
    assert.deepEqual((await lookAtIssue(server, repo, number)).labels, []);
  });

  test(`on ${name} there is one comment with a marker: edited, adopted, made again, copies removed`, async () => {
    const { server, repo, number } = await anIssue(the);
    const marker = '<!-- card -->';
    const write = (text: string, id: number | null) =>
      server.forge.ensureComment({ repo, number, marker, text: `${marker}\n${text}`, id });
    await server.person('eve').comment(repo, number, `${marker}\nnot the hall's`);
    const first = await write('one', null);
    assert.deepEqual(await write('two', first.id), first);
    assert.deepEqual(await write('three', null), first, 'an answer was lost');
    const copy = await server.person('hall').comment(repo, number, `${marker}\na copy`);
    assert.deepEqual(await write('four', null), first);
    const bodies = await commentsOf(server, repo, number);
    assert.deepEqual(bodies, [`${marker}\nnot the hall's`, `${marker}\nfour`], String(copy));
    await server.person('hall').ask('DELETE', `/repos/${repo}/issues/comments/${first.id}`);
    const again = await write('five', first.id);
    assert.notEqual(again.id, first.id);
    assert.equal((await commentsOf(server, repo, number)).at(-1), `${marker}\nfive`);
  });

  test(`on ${name} a comment of 65,536 characters is written whole, and a longer one as far as it may be`, async () => {
    const { server, repo, number } = await anIssue(the);
    const write = async (length: number) => {
      const marker = `<!-- ${length} -->`;
      const text = `${marker}${'x'.repeat(length - marker.length)}`;
      await server.forge.ensureComment({ repo, number, marker, text, id: null });
      return (await commentsOf(server, repo, number)).find((body) => body.startsWith(marker));
    };
    assert.equal((await write(65_536))?.length, 65_536);
    const long = (await write(70_000))?.length;
    assert.equal(long, server.kind === 'github' ? 65_536 : 70_000);
  });

  test(`a look at ${name} reads comments after the last one that was seen, and says who wrote them`, async () => {
    const { server, repo, number } = await anIssue(the);
    const first = await server.person('ada').comment(repo, number, 'one');
    await server.person('eve').comment(repo, number, 'two');
    const all = (await lookAtIssue(server, repo, number)).comments;
    assert.deepEqual(
      all.map(({ author, body }) => [author.login, body]),
      [
        ['ada', 'one'],
        ['eve', 'two'],
      ],
    );
    const later = await lookAtIssue(server, repo, number, { comment: first, review: 0 });
    assert.deepEqual(
      later.comments.map(({ body }) => body),
      ['two'],
    );
  });

  test(`${name} tells the rights of a stranger, a writer and an administrator`, async () => {
    const { server, repo } = await anIssue(the);
    const closed = await server.newRepository({ isPrivate: true });
    const rightOf = async (login: 'hall' | 'ada' | 'eve', where: string) => {
      const account = { ...(await accountOf(server, login)), isBot: false };
      return server.forge.permissionOf(where, account);
    };
    assert.equal(await rightOf('eve', repo), 'read', 'anybody reads a public repository');
    assert.equal(await rightOf('eve', closed), 'none');
    assert.equal(await rightOf('ada', repo), 'write');
    assert.equal(await rightOf('hall', repo), 'admin');
    const [ada, eve] = [await accountOf(server, 'ada'), await accountOf(server, 'eve')];
    assert.equal(await server.forge.isInTeam(repo, 'acme/core', { ...ada, isBot: false }), true);
    assert.equal(await server.forge.isInTeam(repo, 'acme/core', { ...eve, isBot: false }), false);
  });

  test(`${name} has no issue where there is none, and closes one twice`, async () => {
    const { server, repo, number } = await anIssue(the);
    assert.equal(await look(server, repo, 99), null);
    await server.forge.closeIssue(repo, number);
    await server.forge.closeIssue(repo, number);
    assert.equal((await lookAtIssue(server, repo, number)).isOpen, false);
  });
}

export async function anIssue(the: TheServer) {
  const server = the();
  const repo = await server.newRepository();
  const number = await server.person('eve').openIssue(repo, { title: 'Greet', body: 'please' });
  return { server, repo, number };
}

export function look(
  { forge }: ForgeServer,
  repo: string,
  number: number,
  seen = NOTHING_SEEN,
): Promise<ForgeSnapshot | null> {
  return forge.look({ repo, number, pull: null, seen });
}

async function lookAtIssue(
  server: ForgeServer,
  repo: string,
  number: number,
  seen = NOTHING_SEEN,
): Promise<IssueSnapshot> {
  const issue = (await look(server, repo, number, seen))?.issue;
  return issue ?? assert.fail(`no issue ${number}`);
}

async function accountOf(server: ForgeServer, login: 'hall' | 'ada' | 'eve') {
  const { id } = (await server.person(login).ask('GET', '/user')).body;
  return { id: id as number, login };
}

async function commentsOf(server: ForgeServer, repo: string, number: number): Promise<string[]> {
  const { body } = await server
    .person('hall')
    .ask('GET', `/repos/${repo}/issues/${number}/comments`);
  return body.map((comment: { body: string }) => comment.body);
}
