import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { COMMENTED_FILE, ConnectedHall, SHOP } from '../support/connected-hall.ts';
import { type Json, until } from '../support/hall-fixture.ts';
import { begun, onlyGit } from './cli-command.ts';

describe('guildhall forge add for Forgejo', () => {
  let at: ConnectedHall;
  const add = (...more: readonly string[]) => [
    'forge',
    'add',
    'forgejo',
    '--url',
    at.forge.url,
    ...more,
  ];
  before(async () => {
    at = await ConnectedHall.open('forgejo', COMMENTED_FILE);
  });
  after(() => at[Symbol.asyncDispose]());

  it('refuses a token that the forge does not accept, and changes nothing', async () => {
    const before = at.file();
    const { code, stderr } = await at.run(add(), 'not-a-token-of-anyone');
    assert.equal(code, 1, stderr);
    assert.match(stderr, /answered 401 to GET \/user.*check the credential/s);
    assert.equal(at.file(), before);
    const { secrets } = await at.json(['secrets', 'list']);
    assert.deepEqual(secrets, []);
  });

  it('says which kind the server is when another was typed, and what an address must look like', async () => {
    const wrong = await at.run(['forge', 'add', 'gitea', '--url', at.forge.url], at.token);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /is forgejo, not gitea: run .*forge add .*forgejo/);
    const none = await at.run(['forge', 'add', 'forgejo'], at.token);
    assert.match(none.stderr, /--url https:\/\/forge\.example/);
    assert.equal((await at.run(['forge', 'add', 'gitlab'], at.token)).code, 2);
  });

  it('shows the change of the file and makes none in a dry run', async () => {
    const before = at.file();
    const { edit, saved } = await at.json(add('--dry-run'), at.token);
    assert.match(edit, /^\+ forges:\n\+ {3}forgejo: \{ kind: forgejo, url: /m);
    assert.equal(saved, false);
    assert.equal(at.file(), before);
  });

  it('tries the token, stores it encrypted and adds the entry, and leaves the rest of the file as it was', async () => {
    const before = at.file();
    const added = await at.json(add(), at.token);
    assert.equal(added.account, 'hall');
    assert.deepEqual(added.secrets, ['forgejo-token', 'forgejo-webhook']);
    assert.ok(at.file().startsWith(before), at.file());
    assert.match(
      at.file().slice(before.length),
      /^\nforges:\n {2}forgejo: \{ kind: forgejo, url: \S+, token: secret:forgejo-token, webhook_secret: secret:forgejo-webhook \}\n$/,
    );
    assert.ok(!at.file().includes(at.token));
    assert.deepEqual(added.next, ['set repo: forgejo:OWNER/NAME in a project']);
  });

  it('makes a webhook that delivers, and all labels, in the repositories that projects have since', async () => {
    writeFileSync(
      at.hall.config,
      at.file().replace('# sells tea', `# sells tea\n    repo: forgejo:${SHOP}`),
    );
    const { repositories } = await at.json(add());
    const [shop] = repositories as Json[];
    assert.deepEqual(
      [shop?.repo, shop?.hook, shop?.hook_proven],
      [`forgejo:${SHOP}`, 'created', true],
    );
    const names = (await at.labels()).map(({ name }) => name);
    for (const name of ['hall:queued', 'hall:dispatch-automaton', 'hall:dev', 'hall:hamlet']) {
      assert.ok(names.includes(name), `${name} in ${names}`);
    }
    const [hook, ...others] = await at.hooks();
    assert.match(hook?.config.url, /\/v1\/webhooks\/forgejo$/);
    assert.deepEqual(others, []);
  });

  it('changes nothing when it is run again', async () => {
    const [file, labels, hooks] = [at.file(), await at.labels(), await at.hooks()];
    const stored = await at.json(['secrets', 'list']);
    const { edit, secrets, repositories } = await at.json(add(), at.token);
    assert.equal(edit, '');
    assert.deepEqual(secrets, ['forgejo-token']);
    const [{ labels: seeded, hook, hook_proven: isProven }] = repositories;
    assert.deepEqual([seeded, hook, isProven], [{ created: [], repaired: [] }, 'unchanged', true]);
    assert.deepEqual([at.file(), await at.labels(), await at.hooks()], [file, labels, hooks]);
    assert.deepEqual(await at.json(['secrets', 'list']), stored);
  });

  it('adopts a webhook that has another secret by giving it a new one, and keeps both secrets while it rotates', async () => {
    const [hook] = await at.hooks();
    await at.ask(`/repos/${SHOP}/hooks/${hook?.id}`, 'DELETE');
    at.forge.control.addHook(SHOP, {
      url: hook?.config.url,
      secret: 'somebody else made this one',
      events: ['issues'],
    });
    const [mended] = (await at.json(add())).repositories as Json[];
    assert.deepEqual([mended?.hook, mended?.hook_proven], ['changed', true]);
    assert.equal((await at.hooks()).length, 1);

    const [rotated] = (await at.json(add('--rotate-webhook-secret'))).repositories as Json[];
    assert.deepEqual([rotated?.hook, rotated?.hook_proven], ['changed', true]);
    const { secrets } = await at.json(['secrets', 'list']);
    const stored = secrets.find(({ name }: Json) => name === 'forgejo-webhook');
    assert.equal(stored.has_previous, true);
  });

  it('health says how each repository is followed, and how long ago the last delivery came', async () => {
    await until('the webhook is known', async () => /by webhook/.test((await at.health()).says));
    assert.match(
      (await at.health()).says,
      /forgejo:acme\/shop by webhook, last delivery less than a minute ago/,
    );
  });

  it('X-002c: doctor proves the token, webhook and labels by using them, and says the fix for each that fails', async () => {
    const good = await at.examined();
    assert.equal(good.health, 'good', good.says);
    assert.match(good.says, /forgejo: acts as hall/);
    assert.match(good.says, /a signed delivery to \S+\/v1\/webhooks\/forgejo is accepted/);
    assert.match(
      good.says,
      /may read issues, write issues and labels, push branches, open pull requests/,
    );
    assert.match(good.says, /has all \d+ labels of the hall/);
    assert.match(good.says, /a webhook covers it; last delivery/);
    assert.match(good.says, /a push by the hall starts CI/);

    at.forge.control.setRole(SHOP, 'hall', 'read');
    const bad = await at.examined();
    assert.equal(bad.health, 'bad');
    assert.match(bad.says, /may not push branches: git was answered with 403/);
    assert.match(bad.says, /may not see what people may do in the repository/);
    assert.match(bad.fix, /write access.*make the account an administrator/s);

    at.forge.control.revoke(at.token);
    const revoked = await at.examined();
    assert.equal(revoked.health, 'bad');
    assert.match(revoked.says, /answered 401.*check the credential/);
  });
});

describe('guildhall forge add github', () => {
  let at: ConnectedHall;
  const add = (...more: readonly string[]) => [
    ...['forge', 'add', 'github', '--url', at.forge.url, '--no-browser', ...more],
  ];
  const typed = (args: readonly string[], input = '') =>
    begun([...args, '--json', '--config', at.hall.config], {
      ...{ cwd: at.hall.folder, input, environment: onlyGit(at.hall.folder) },
    });
  before(async () => {
    at = await ConnectedHall.open('github', COMMENTED_FILE);
  });
  after(() => at[Symbol.asyncDispose]());

  it('HA-003b: an App is made from a manifest on a page of its own, and its keys are stored and used', async () => {
    const command = typed(add('--org', 'acme', '--app-name', 'Hall of acme'));
    const page = await until(
      'there is a page',
      () => /open (http:\S+) and/.exec(command.stderr())?.[1] ?? false,
    );
    assert.match(page, /^http:\/\/127\.0\.0\.1:\d+$/);
    const form = await (await fetch(page)).text();
    const [, action = ''] = /action="([^"]+)"/.exec(form) ?? [];
    const [, written = ''] = /value="([^"]+)"/.exec(form) ?? [];
    const manifest = JSON.parse(written.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
    assert.ok(action.startsWith(`${at.forge.url}/organizations/acme/settings/apps/new?state=`));
    assert.deepEqual(manifest.default_permissions, {
      ...{ metadata: 'read', contents: 'write', issues: 'write', pull_requests: 'write' },
      ...{ checks: 'write', actions: 'write', statuses: 'read' },
    });
    assert.equal(manifest.hook_attributes.active, true);
    assert.equal(manifest.public, false);

    const stranger = await fetch(`${page}/created?code=stolen&state=guessed`);
    assert.equal(stranger.status, 400);
    assert.equal(command.code, undefined, 'a code without the state is not taken');

    const body = new URLSearchParams({ manifest: JSON.stringify(manifest) });
    const confirmed = await fetch(action, { method: 'POST', body, redirect: 'manual' });
    const back = await fetch(confirmed.headers.get('location') ?? '');
    assert.match(await back.text(), /Return to the terminal/);
    assert.equal(await command.ended, 0, command.stderr());
    const added = JSON.parse(command.stdout());
    assert.equal(added.account, 'hall-of-acme[bot]');
    assert.deepEqual(added.secrets, ['github-app-key', 'github-webhook']);
    assert.match(added.next[0], /install the App .*\/apps\/hall-of-acme\/installations\/new/);
    assert.match(
      at.file(),
      /github: \{ url: \S+, app: \{ id: \d+, key: secret:github-app-key \}, webhook_secret: secret:github-webhook \}/,
    );
    assert.match(at.file(), /^# The hall of acme\.\n.*# on this machine\n/);
    assert.doesNotMatch(`${at.file()}${command.stderr()}`, /BEGIN RSA|secret-of-code/);
  });

  it('HA-025e: doctor names what an App lacks until it is installed, and that it cannot be assigned', async () => {
    writeFileSync(
      at.hall.config,
      at.file().replace('# sells tea', `# sells tea\n    repo: github:${SHOP}`),
    );
    assert.equal((await at.run(add())).code, 1, 'it is installed nowhere');
    const before = await at.examined();
    assert.equal(before.health, 'bad');
    assert.match(before.says, /the GitHub App is not installed on acme\/shop.*install it there/);

    const { id } = /app: \{ id: (?<id>\d+)/.exec(at.file())?.groups ?? {};
    at.forge.control.installApp(Number(id), 'acme');
    const [shop] = (await at.json(add())).repositories as Json[];
    assert.deepEqual([shop?.failure, shop?.hook], [null, 'unchanged']);
    assert.ok((await at.labels()).some(({ name }) => name === 'hall:dev'));
    const { health, says, fix } = await at.examined();
    assert.equal(health, 'odd', says);
    assert.match(says, /issues cannot be assigned to hall-of-acme\[bot\], because it is an App/);
    assert.match(
      fix,
      /label hall:dispatch-automaton instead, or assign an account that a type names as its forge_user/,
    );
    assert.match(says, /push branches \(contents: write\)/);
    assert.match(says, /a push by the hall starts CI/);
    assert.match(says, /a webhook covers it/);
  });

  it('makes a second App for another name from a pasted code, without a webhook where the hall polls', async () => {
    const manifest = {
      name: 'Second',
      url: at.forge.url,
      redirect_url: 'http://127.0.0.1:1/created',
    };
    const body = new URLSearchParams({
      manifest: JSON.stringify({
        ...manifest,
        hook_attributes: { url: 'https://x.example', active: false },
      }),
    });
    const page = `${at.forge.url}/settings/apps/new`;
    const confirmed = await fetch(page, { method: 'POST', body, redirect: 'manual' });
    const code = new URL(confirmed.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const before = at.file();
    const command = typed(add('--name', 'work', '--no-hook'), `${code}\n`);
    assert.equal(await command.ended, 0, command.stderr());
    assert.deepEqual(JSON.parse(command.stdout()).secrets, ['work-app-key']);
    assert.match(
      at.file(),
      /\n {2}work: \{ kind: github, url: \S+, app: \{ id: \d+, key: secret:work-app-key \} \}\n/,
    );
    assert.equal(at.file().replace(/ {2}work: .*\n/, ''), before);

    const again = typed(add('--name', 'third'), 'code-used-up\n');
    assert.equal(await again.ended, 1);
    assert.match(
      again.stderr(),
      /does not accept the code.*it works once and for an hour; start again/,
    );
  });
});
