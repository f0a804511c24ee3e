import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import { startForgeEmulator } from '../../src/adapters/forge-emulator/emulator.ts';
import { API_STORES, type Place } from '../support/acceptance-stores.ts';
import { write } from '../support/git-fixture.ts';
import { HallFixture, type Json, until } from '../support/hall-fixture.ts';
import type { HallInProcess } from '../support/hall-in-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { guildhall } from './cli-command.ts';

/** Every key of an entry. */
const WHOLE = {
  type: 'reviewer',
  display_name: 'Ophelia of Elsinore',
  author: 'ada',
  teams: ['acme/painters'],
  model: 'claude-haiku-4-5',
  max_retries: 1,
  max_turns: 20,
  roles: ['review', 'advise'],
  domains: ['css', 'accessibility'],
  scope_summary: 'Looks at what people see.',
  mcp_servers: {
    lint: { command: ['npx', 'lint-mcp'] },
    docs: { url: 'https://docs.example/mcp' },
  },
  allowed_tools: ['Read', 'mcp__lint'],
};

const personaText = (text: string) => `# Someone\n\n${text}\n`;

const REPO = 'acme/shop';

async function hallWith(
  place: Place,
  files: Readonly<Record<string, string>> = {},
): Promise<HallInProcess> {
  const hall = await place.create({ projects: { shop: 3 } });
  write(hall.folder, files);
  await hall.start();
  return hall;
}

/** Runs a command against the hall as its operator would. */
function run(hall: HallInProcess, ...args: readonly string[]) {
  return guildhall([...args, '--config', hall.config], { cwd: hall.folder });
}

async function personas(fixture: HallFixture): Promise<readonly string[]> {
  return (await fixture.get('/v1/personas')).personas.map(({ slug }: Json) => slug);
}

async function healthOf(fixture: HallFixture): Promise<Json> {
  const { components } = await fixture.get('/v1/health');
  return components.find(({ name }: Json) => name === 'personas');
}

for (const on of API_STORES) {
  describe(`on ${on.store}`, () => {
    on.test(
      'HA-010a: every key of an entry in agents.yml is shown by the API and the CLI, beside the personas of the product',
      async (place) => {
        const hall = await hallWith(place, {
          'agents.yml': JSON.stringify({ agents: { ophelia: WHOLE } }),
          'roster/ophelia.md': personaText('Paints.'),
        });
        using fixture = new HallFixture(hall);
        const { personas: all } = await fixture.get('/v1/personas');
        assert.deepEqual(
          all.map(({ slug }: Json) => slug),
          ['hamlet', 'old-major', 'ophelia', 'portia'],
        );
        assert.deepEqual(all[2], {
          ...WHOLE,
          slug: 'ophelia',
          model_from: 'persona',
          max_turns_from: 'persona',
          mcp_servers: [
            { name: 'lint', command: ['npx', 'lint-mcp'], url: null },
            { name: 'docs', command: null, url: 'https://docs.example/mcp' },
          ],
          declared: { file: 'agents.yml', line: 1 },
          retired: false,
        });
        const { model, model_from, max_turns, type, declared } = all[0];
        assert.deepEqual(
          [model, model_from, max_turns, type, declared],
          ['claude-sonnet-4-6', 'type', 100, 'dev', null],
        );
        const listed = await run(hall, 'agents', 'list');
        assert.match(listed.stdout, /^dev-default +dev +claude-sonnet-4-6 /m);
        assert.match(
          listed.stdout,
          /^ophelia +reviewer +claude-haiku-4-5 +20 +Read, mcp__lint, mcp lint, mcp docs +css, accessibility +agents\.yml:1$/m,
        );
        assert.match(
          listed.stdout,
          /^hamlet +dev +claude-sonnet-4-6 \(type dev\) +100 \(type dev\) +all +.* the product$/m,
        );
        const json = JSON.parse((await run(hall, 'agents', 'list', '--json')).stdout);
        assert.deepEqual(json.personas, all);
      },
    );

    on.test(
      'HA-010c HA-011a: agents.yml and the persona files are reread when they change, without a restart',
      async (place) => {
        const hall = await hallWith(place);
        using fixture = new HallFixture(hall);
        const unknown = await run(hall, 'task', 'add', 'Paint', '--agent', 'ophelia');
        assert.equal(unknown.code, 3);
        assert.match(unknown.stderr, /no instance, persona or type is named ophelia; there are /);

        write(hall.folder, {
          'agents.yml': 'agents: { ophelia: { domains: [css] } }\n',
          'roster/ophelia.md': personaText('Paints in blue.'),
        });
        await until('she is there', async () => (await personas(fixture)).includes('ophelia'));
        const added = await run(hall, 'task', 'add', 'Paint', '--agent', 'ophelia', '--json');
        const { id } = JSON.parse(added.stdout).tasks[0];
        const { task, thread } = await fixture.taskDetail(id);
        assert.deepEqual(
          [task.agent, task.type, task.instance, thread.agent],
          ['ophelia', 'dev', null, 'ophelia'],
        );
        const prompt = async () => (await run(hall, 'task', 'show', id, '--prompt')).stdout;
        assert.match(await prompt(), /## Who you are\n\nPaints in blue\.\n/);

        write(hall.folder, {
          'agents.yml': 'agents: { ophelia: { max_turns: 7 } }\n',
          'roster/ophelia.md': personaText('Paints in green.'),
        });
        await until('her limit has changed', async () => {
          const { personas: all } = await fixture.get('/v1/personas');
          return all.some(({ slug, max_turns }: Json) => slug === 'ophelia' && max_turns === 7);
        });
        assert.match(await prompt(), /Paints in green/);
        const worker = await fixture.worker({ projects: ['shop'] });
        const claim = await worker.claimed();
        const brief = (await worker.caller.get(`/v1/runs/${claim.run}/brief`)).body;
        assert.equal(brief.agent.max_turns, 7);

        rmSync(join(hall.folder, 'agents.yml'));
        await until('she has left', async () => {
          const { personas: all } = await fixture.get('/v1/personas');
          return all.some(({ slug, retired }: Json) => slug === 'ophelia' && retired);
        });
        const refused = await run(hall, 'task', 'add', 'Paint', '--agent', 'ophelia');
        assert.match(refused.stderr, /no instance, persona or type is named ophelia/);
        const { facts } = (await fixture.get('/v1/events?type=PersonaSet')).events[0];
        assert.deepEqual([facts.persona, facts.retired], ['ophelia', true]);
      },
    );

    on.test(
      'HA-011b: a command and a label post a task that requires the persona, and a name that nobody has is answered with the names there are',
      async (place) => {
        using folder = tempFolder();
        const forge = await startForgeEmulator({
          kind: 'github',
          folder: folder.path,
          path: process.env['PATH'] ?? '',
        });
        const { control } = forge;
        control.addPerson('ada');
        const token = control.addPerson('hall');
        control.addOrganization('acme');
        await control.addRepository(REPO, { files: { 'README.md': 'shop\n' } });
        for (const login of ['ada', 'hall']) control.setRole(REPO, login, 'write');
        const poll = { active: '1s', idle: '1s' };
        const hall = await place.create({
          declared: [{ name: 'shop', repo: `github:${REPO}` }],
          forges: { github: { url: forge.url, api_url: forge.apiUrl, token: '$GH_TOKEN', poll } },
          env: { GH_TOKEN: token },
          hall: { max_recruits: 0 },
        });
        write(hall.folder, {
          'agents.yml': 'agents: { ophelia: { type: reviewer } }\n',
          'roster/ophelia.md': personaText('Paints.'),
        });
        await hall.start();
        using fixture = new HallFixture(hall);

        const typed = await run(hall, 'task', 'add', 'By hand', '--agent', 'ophelia', '--json');
        const ada = control.as('ada');
        const issue = ada.openIssue(REPO, { title: 'By label', body: '' });
        ada.addLabels(REPO, issue, ['hall:ophelia', 'hall:queued']);
        const labelled = await until('the label is a task', async () => {
          const { tasks } = await fixture.get('/v1/tasks');
          return tasks.find(({ title }: Json) => title === 'By label');
        });
        const posted = await fixture.task(JSON.parse(typed.stdout).tasks[0].id);
        for (const { agent, type, instance } of [posted, labelled]) {
          assert.deepEqual([agent, type, instance], ['ophelia', 'reviewer', null]);
        }

        const wrong = ada.openIssue(REPO, { title: 'Wrong', body: '' });
        ada.addLabels(REPO, wrong, ['hall:ophelie']);
        const comment = await until('the label is answered', async () => {
          const headers = { authorization: `Bearer ${token}` };
          const url = `${forge.apiUrl}/repos/${REPO}/issues/${wrong}/comments`;
          const [first] = (await (await fetch(url, { headers })).json()) as Json[];
          return first?.body as string | undefined;
        });
        assert.match(comment, /There is no agent `ophelie`.*`ophelia`.*`dev-default`/);
        const refused = await run(hall, 'task', 'add', 'Wrong', '--agent', 'ophelie');
        assert.equal(refused.code, 3);
        assert.match(refused.stderr, /is named ophelie; there are ophelia, .*dev-default/);
        const { tasks } = await fixture.get('/v1/tasks');
        assert.equal(tasks.length, 2);
        await hall.stop();
        await forge.close();
      },
    );

    on.test(
      'a broken agents.yml changes nothing, also after a restart, and health, config check and doctor name its lines',
      async (place) => {
        const hall = await hallWith(place, {
          'agents.yml': 'agents: { ophelia: {} }\n',
          'roster/ophelia.md': personaText('Paints.'),
        });
        using fixture = new HallFixture(hall);
        assert.deepEqual(await healthOf(fixture), {
          name: 'personas',
          status: 'up',
          says: '4 can be asked for',
        });
        write(hall.folder, {
          'agents.yml': 'agents:\n  laertes: { modle: x }\n  ophelia: { type: devv }\n',
        });
        const mistakes = [
          /agents\.yml:2:3 agents\.laertes: has no persona file: write roster\/laertes\.md/,
          /agents\.yml:2:14 agents\.laertes\.modle: is not a known key \(did you mean model\?\)/,
          /agents\.yml:3:20 agents\.ophelia\.type: there is no type devv \(did you mean dev\?\)/,
        ];
        const seen = await until('health says so', async () => {
          const health = await healthOf(fixture);
          return health.status === 'degraded' && health.says;
        });
        const checked = await run(hall, 'config', 'check');
        const examined = await run(hall, 'doctor');
        for (const mistake of mistakes) {
          assert.match(seen, mistake);
          assert.match(checked.stderr, mistake);
          assert.match(examined.stdout, mistake);
        }
        assert.deepEqual([checked.code, examined.code], [2, 1]);
        const before = await personas(fixture);
        assert.ok(before.includes('ophelia'));

        await hall.stop();
        await hall.start();
        assert.deepEqual(await personas(fixture), before);
        assert.equal((await healthOf(fixture)).status, 'degraded');
        write(hall.folder, { 'agents.yml': 'agents: {}\n' });
        await until('health is good again', async () => (await healthOf(fixture)).status === 'up');
        assert.ok(!(await personas(fixture)).includes('ophelia'));
      },
    );

    on.test(
      'the hall refuses the commands of a persona that has no Bash, whatever its worker lets through',
      async (place) => {
        const hall = await hallWith(place, {
          'agents.yml': 'agents: { ophelia: { allowed_tools: [Read] } }\n',
          'roster/ophelia.md': personaText('Looks.'),
        });
        using fixture = new HallFixture(hall);
        const shop = await fixture.project();
        const verdicts: Json[] = [];
        for (const agent of ['ophelia', 'hamlet']) {
          const { worker, claim } = await shop.held({ agent });
          await worker.mustCall('start', claim);
          const call = { tool: 'Bash', command: 'ls', cwd: '/cell', worktree: '/cell' };
          const { verdict, rule } = await worker.mustCall('tool', claim, call);
          verdicts.push([verdict, rule]);
        }
        assert.deepEqual(verdicts[0], ['deny', 'persona:ophelia']);
        assert.equal(verdicts[1][0], 'accept');
      },
    );

    on.test(
      'a name means an instance, then a persona, then a type, and health says which persona an instance hides',
      async (place) => {
        const entries = { dev: { type: 'boss' }, 'dev-default': { type: 'boss' } };
        const hall = await hallWith(place, {
          'agents.yml': JSON.stringify({ agents: entries }),
          'roster/dev.md': personaText('A persona named like a type.'),
          'roster/dev-default.md': personaText('A persona named like an instance.'),
        });
        using fixture = new HallFixture(hall);
        const asked = async (agent: string) => {
          const body = { project: 'shop', title: 'x', agent };
          const { tasks } = await fixture.post('/v1/tasks', body);
          const { type, instance } = await fixture.task(tasks[0].id);
          return [type, instance];
        };
        assert.deepEqual(await asked('dev-default'), ['dev', 'dev-default']);
        assert.deepEqual(await asked('dev'), ['boss', null]);
        assert.deepEqual(await asked('reviewer'), ['reviewer', null]);
        assert.match((await healthOf(fixture)).says, /dev-default is also an instance/);
        const { stderr } = await run(hall, 'config', 'check');
        assert.match(stderr, /agents\.dev: dev is also an agent type/);
        assert.match(stderr, /agents\.dev-default: dev-default is also an instance/);
      },
    );
  });
}
