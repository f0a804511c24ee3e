import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appManifest } from './app-manifest.ts';
import { webhookUrl } from './webhook-url.ts';

const GITHUB = { name: 'github', url: 'https://github.com' };
const LOCAL_URL = 'http://127.0.0.1:4600';

for (const [what, publicUrl, forge, expected] of [
  ['a hall without a public address', null, GITHUB, null],
  ['a hall whose public address is on this machine', 'http://localhost:4600', GITHUB, null],
  [
    'a hall with a public address',
    'https://hall.example/',
    GITHUB,
    'https://hall.example/v1/webhooks/github',
  ],
  [
    'a hall on the same machine as its forge',
    null,
    { name: 'forge', url: 'http://[::1]:3000' },
    'http://127.0.0.1:4600/v1/webhooks/forge',
  ],
] as const) {
  test(`${what} ${expected === null ? 'gets no webhook and polls' : `gets deliveries at ${expected}`}`, () => {
    const hookUrl = webhookUrl({ publicUrl, localUrl: LOCAL_URL, forge });
    assert.equal(hookUrl, expected);
    const { hook_attributes: hook, default_events: events } = appManifest({
      ...{ name: 'Hall', hookUrl, hasTeams: false },
    });
    assert.equal(hook.active, expected !== null);
    assert.equal(events.length > 0, expected !== null);
    assert.doesNotMatch(hook.url, /127\.0\.0\.1:4600\/$|localhost/);
  });
}

test('an App asks to see members only where personas name teams', () => {
  const asked = (hasTeams: boolean) =>
    appManifest({ name: 'Hall', hookUrl: null, hasTeams }).default_permissions;
  assert.equal('members' in asked(false), false);
  assert.deepEqual({ ...asked(true) }, { ...asked(false), members: 'read' });
});
