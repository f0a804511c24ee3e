import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchange } from '../../src/adapters/forge-emulator/http/server.ts';
import { EMULATED, emulatedForge } from '../support/forge-server.ts';
import { ForgeStory } from '../support/forge-story.ts';
import type { Json } from '../support/hall-fixture.ts';
import { whyNoWorkers } from '../support/worker-fixture.ts';

const skip = await whyNoWorkers();

/** Minutes each, most of it waiting for halls to start and for backoff. */
const isLong = process.env['GUILDHALL_LONG_STORIES'] === undefined;
const skipLong = skip || (isLong && 'it takes minutes: set GUILDHALL_LONG_STORIES to run it');

for (const kind of EMULATED) {
  describe(`the story of an issue on ${kind}`, {
    skip: kind === 'github' ? skip : skipLong,
  }, () => {
    it(`on ${kind} with every delivery sent three times, shuffled, and one in five lost, nothing is doubled and nothing lost`, async () => {
      await using story = await ForgeStory.open(await emulatedForge(kind), {
        hasHook: true,
        poll: '5s',
      });
      story.server.emulator?.deliveries.plan({ copies: 3, shuffle: 7, loseOneOf: 5 });
      await story.play();
      await story.nothingDoubledNothingLost();
      const sent = story.server.emulator?.deliveries.log ?? [];
      const taken = sent.filter(({ statusCode }) => statusCode === 202).length;
      const lost = sent.filter(({ statusCode }) => statusCode === 0).length;
      assert.ok(taken > 30 && lost > 5, `${taken} taken, ${lost} lost`);
    });
  });
}

// Gitea and Forgejo are written to by the same calls, so one of them is enough for each of these.
for (const kind of ['github', 'gitea'] as const) {
  describe(`a hall that is killed on ${kind}`, { skip: skipLong }, () => {
    it(`on ${kind} a hall that is killed after each thing it does there, before it can record it, doubles and loses nothing`, async () => {
      await using killed = await KilledStory.open(kind);
      await killed.story.play();
      await killed.running();
      await killed.story.nothingDoubledNothingLost();
      const done = [...new Set(killed.kills)].sort();
      for (const step of STEPS) {
        const isDone = done.some((each) => step.test(each));
        assert.ok(isDone, `${step}: ${done}`);
      }
    });
  });
}

for (const kind of ['github', 'forgejo'] as const) {
  describe(`${kind} with faults`, { skip: skipLong }, () => {
    it(`on ${kind} a forge that answers 500 or 429, hangs, or drops the connection after doing it is named by health, and doubles and loses nothing`, async () => {
      await using story = await ForgeStory.open(await emulatedForge(kind));
      const faults = story.server.emulator?.faults ?? assert.fail();
      faults.inject({ is: 'status', status: 500 }, { times: Number.POSITIVE_INFINITY });
      await story.label();
      await healthSays(story, /answered 500/);
      faults.clear();
      faults.inject({ is: 'too_many', retryAfter: 3 }, { times: Number.POSITIVE_INFINITY });
      await healthSays(story, /answered 429/);
      faults.clear();
      for (const method of ['POST', 'PATCH', 'PUT', 'DELETE']) {
        for (const after of [0, 2, 4])
          faults.inject({ is: 'drop', done: true }, { operation: method, after });
      }
      faults.inject({ is: 'hang' }, { operation: 'GET', after: 40 });
      await story.playOn();
      faults.clear();
      await healthSays(story, /^follows /);
      await story.nothingDoubledNothingLost();
    });
  });
}

/** What the hall does on a forge in the story; after each it is killed at least once. */
const STEPS = [
  /POST .*\/issues\/\{\w+\}\/comments/,
  /PATCH .*\/issues\/comments/,
  /POST .*\/pulls$/,
  /POST .*\/statuses/,
  /(PUT|POST) .*\/merge$/,
  /DELETE .*(\/git\/refs|\/branches)/,
];

/** Kills the hall with the answer of the forge still on its way, once for each thing that it writes. */
class KilledStory implements AsyncDisposable {
  readonly kills: string[] = [];
  story: ForgeStory = undefined as never;
  readonly #seen = new Set<string>();
  #starting: Promise<void> = Promise.resolve();
  #isOver = false;

  static async open(kind: (typeof EMULATED)[number]): Promise<KilledStory> {
    const killed = new KilledStory();
    const onExchange = (exchange: Exchange) => killed.#kill(exchange);
    killed.story = await ForgeStory.open(await emulatedForge(kind, { onExchange }));
    return killed;
  }

  #kill({ method, operation, body }: Exchange): void {
    const what = `${operation} ${JSON.stringify(body)}`;
    const { hall } = this.story?.stage ?? {};
    if (this.#isOver || method === 'GET' || operation === null || !hall || this.#seen.has(what))
      return;
    this.#seen.add(what);
    this.kills.push(operation);
    hall.signal('SIGKILL');
    this.#starting = this.#starting.then(() => hall.stop('SIGKILL')).then(() => hall.start());
  }

  /** The hall was started again after the last kill, and is killed no more. */
  async running(): Promise<void> {
    this.#isOver = true;
    await this.#starting;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.running();
    await this.story[Symbol.asyncDispose]();
  }
}

async function healthSays(story: ForgeStory, pattern: RegExp): Promise<void> {
  await story.until(`health says ${pattern}`, async () => {
    const health = await story.ofHall('/v1/health');
    const forges = (health?.components as Json[] | undefined)?.find(
      ({ name }) => name === 'forges',
    );
    return pattern.test(forges?.says ?? '');
  });
}
