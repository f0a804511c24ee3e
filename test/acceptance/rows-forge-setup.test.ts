import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ConnectedHall, DEPOT, SHOP } from '../support/connected-hall.ts';
import { HallFixture, type Json, until } from '../support/hall-fixture.ts';
import { casesInTier } from '../support/tier.ts';

const KINDS = ['forgejo', 'github'] as const;

const file = (kind: string) => `
hall: { data: {data}, listen: "{listen}" }
forges:
  hub: { kind: ${kind}, url: "{forge}", token: secret:hub-token, webhook_secret: secret:hub-webhook, poll: { active: 1s, idle: 1s, covered: 1s } }
projects:
  - { name: shop, repo: "hub:${SHOP}" }
  - { name: depot, repo: "hub:${DEPOT}" }
`;

/** A persona that only the team core may ask for. */
const AGENTS = `agents:
  fixer: { type: dev, teams: [acme/core], scope_summary: Repairs things. }
`;

for (const kind of casesInTier(KINDS, (kind) => kind === 'github')) {
  describe(`a hall whose projects are on ${kind}`, () => {
    let at: ConnectedHall;
    const named = async (name: string, repo = SHOP) =>
      (await at.labels(repo)).find((label) => label.name === name);
    before(async () => {
      at = await ConnectedHall.open(kind, file(kind));
      await at.run(['secrets', 'set', 'hub-token'], at.token);
      await at.run(['secrets', 'set', 'hub-webhook'], 'a-secret-of-the-webhook');
    });
    after(() => at[Symbol.asyncDispose]());

    it(`HA-043b: on ${kind} the labels of the hall and of every agent are seeded in the repositories of all projects`, async () => {
      for (const repo of [SHOP, DEPOT]) {
        await until(`${repo} has them`, async () => await named('hall:reviewer-default', repo));
        for (const name of [
          ...['dispatch-automaton', 'awaiting-input', 'queued', 'invoker-queued', 'post-mortem'],
          ...['hamlet', 'old-major', 'portia', 'dev', 'dev-default'],
        ]) {
          assert.ok(await named(`hall:${name}`, repo), name);
        }
      }
    });

    it(`HA-043a: on ${kind} an agent that is added while the hall runs gets its label`, async () => {
      assert.equal(await named('hall:fixer'), undefined);
      mkdirSync(join(at.hall.folder, 'roster'));
      writeFileSync(join(at.hall.folder, 'roster', 'fixer.md'), 'You repair things.\n');
      writeFileSync(join(at.hall.folder, 'agents.yml'), AGENTS);
      for (const repo of [SHOP, DEPOT]) {
        await until(`${repo} has it`, async () => await named('hall:fixer', repo));
      }
    });

    it(`HA-043c: on ${kind} labels that a person edits, or takes off an issue, are put right`, async () => {
      const label = await named('hall:queued');
      const path = `/repos/${SHOP}/labels/${kind === 'github' ? 'hall:queued' : label?.id}`;
      const rename = kind === 'github' ? 'new_name' : 'name';
      await at.ask(path, 'PATCH', { [rename]: 'Hall:Queued', color: '000000', description: 'x' });
      await until('it is as it was', async () => {
        const now = await named('hall:queued');
        return now?.color === label?.color && now?.description === label?.description;
      });
      const all = await at.labels();
      assert.equal(all.filter(({ name }) => /^hall:queued$/i.test(name)).length, 1);

      const ada = at.forge.control.as('ada');
      const number = ada.openIssue(SHOP, { title: 'Sell tea', body: '' });
      ada.addLabels(SHOP, number, ['hall:dev']);
      const isQueued = async () => {
        const { labels } = await at.ask(`/repos/${SHOP}/issues/${number}`);
        return labels.some(({ name }: Json) => name === 'hall:queued');
      };
      await until('the issue is queued', isQueued);
      ada.removeLabel(SHOP, number, 'hall:queued');
      await until('the label is back', isQueued);
    });

    it(`HA-110a HA-110d: on ${kind} only members of its teams may ask for an agent that names some, whoever may write for any other, and who may not is told so at no cost`, async () => {
      const { control } = at.forge;
      using fixture = new HallFixture(at.hall);
      const agents = async () =>
        ((await fixture.get('/v1/tasks')).tasks as Json[]).map(({ agent }) => agent);
      const asked = (login: string, label: string) => {
        const number = control
          .as(login)
          .openIssue(DEPOT, { title: `${label} by ${login}`, body: '' });
        control.as(login).addLabels(DEPOT, number, [label]);
        return number;
      };
      const refused = asked('eve', 'hall:fixer');
      await until('eve is answered', async () => {
        const comments = (await at.ask(`/repos/${DEPOT}/issues/${refused}/comments`)) as Json[];
        return comments.some(({ body }) =>
          /@eve may not start `fixer` here: that needs membership in acme\/core/.test(body),
        );
      });
      assert.ok(!(await agents()).includes('fixer'));
      await until('the label is removed', async () => {
        const { labels } = await at.ask(`/repos/${DEPOT}/issues/${refused}`);
        return labels.length === 0;
      });
      const { threads } = await fixture.get('/v1/threads');
      assert.ok(!threads.some(({ title }: Json) => title === 'hall:fixer by eve'));

      asked('eve', 'hall:portia');
      await until('write access is enough for portia', async () =>
        (await agents()).includes('portia'),
      );
      asked('ada', 'hall:fixer');
      await until('ada is in the team', async () => (await agents()).includes('fixer'));
    });

    it(`CH-096: on ${kind} a delivery from a repository that no project has is logged and refused`, async () => {
      const hookUrl = `${at.hall.url}/v1/webhooks/hub`;
      const { control } = at.forge;
      await control.addRepository('acme/other', { files: { a: 'a\n' } });
      const secret = 'a-secret-of-the-webhook';
      control.addHook('acme/other', { url: hookUrl, secret, events: ['issues'] });
      control.addHook(SHOP, { url: hookUrl, secret, events: ['issues'] });
      await at.forge.deliveries.idle();
      control.as('ada').openIssue('acme/other', { title: 'x', body: '' });
      control.as('ada').openIssue(SHOP, { title: 'y', body: '' });
      await until('both were answered', () => {
        const codes = at.forge.deliveries.log
          .filter(({ event }) => event === 'issues')
          .map(({ statusCode }) => statusCode);
        return codes.includes(403) && codes.includes(202);
      });
      assert.match(at.hall.output, /webhook for an unknown repository.*acme\/other/);
    });
  });
}
