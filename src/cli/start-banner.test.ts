import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createColors } from 'picocolors';
import { startBanner } from './start-banner.ts';

const cli = {
  out: { colours: createColors(false) },
  command: (...words: readonly string[]) => `npx guildhall ${words.join(' ')}`,
};
const url = 'http://127.0.0.1:4600';

describe('the banner of a started hall', () => {
  it('the start banner suggests adding a project before a task when there is no project', () => {
    const text = startBanner(cli, { url, hasProjects: false, cannotStart: [] });
    assert.match(text, /next +npx guildhall project add NAME +in another terminal/);
    assert.match(text, /then +npx guildhall task add "…"\n/);
    assert.match(text, /watch +npx guildhall board\n/);
  });

  it('the start banner suggests only a task when there is a project', () => {
    const text = startBanner(cli, { url, hasProjects: true, cannotStart: [] });
    assert.match(text, /next +npx guildhall task add "…" +in another terminal/);
    assert.doesNotMatch(text, /project add/);
  });

  it('the start banner says why agents cannot start', () => {
    const cannotStart = ['no agent can start in shop as dev-default: no invoker pays for runs'];
    const text = startBanner(cli, { url, hasProjects: true, cannotStart });
    assert.match(text, /agents +no agent can start in shop as dev-default: no invoker/);
  });
});
