import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { earlierExport } from '../../test/support/earlier-hall.ts';
import { History } from '../../test/support/history.ts';
import { dice, everyEvent, wander } from '../../test/support/story.ts';
import type { EventType, HallEvent } from './event.ts';
import { eventIn, presentEvent, RENAMED_TYPES, storedTypes } from './renamed-events.ts';

/** Does not compile once a name that was given up is a type of event again. */
type Clash = Extract<keyof typeof RENAMED_TYPES, EventType>;
const NO_CLASH: [Clash] extends [never] ? true : Clash = true;

function eventsOf(seed: number): readonly HallEvent[] {
  const history = new History();
  everyEvent(history);
  const roll = dice(seed);
  for (let n = 0; n < 200; n += 1) wander(history, roll);
  return history.group().events.map(({ event }) => event);
}

describe('an event that is stored under its present names', () => {
  test('an event stored under its present name is read unchanged', () => {
    assert.ok(NO_CLASH);
    for (const seed of [1, 2, 3, 4, 5]) {
      for (const event of eventsOf(seed)) assert.equal(presentEvent(event), event);
    }
  });
});

describe('an event that is stored under an earlier name', () => {
  test('an event stored under an earlier name is read under the present one, and reading it again changes nothing', () => {
    for (const [before, now] of Object.entries(RENAMED_TYPES)) {
      const event = presentEvent({ type: before, thread: 7 } as { type: string });
      assert.deepEqual(event, { type: now, thread: 7 });
      assert.equal(presentEvent(event), event);
    }
  });

  test('renamed fields of a stored event are translated, including those of nested objects', () => {
    const forge = { pr: null, mergeAsked: 'ada', rounds: 1 };
    const reopened = { type: 'ThreadReopened', thread: { id: 4, after: [1], waits: [], forge } };
    const event = eventIn(JSON.stringify(reopened));
    assert.deepEqual(event, {
      type: 'ThreadReopened',
      thread: {
        id: 4,
        dependsOn: [1],
        blockedBy: [],
        forge: { pr: null, mergeRequestedBy: 'ada', rounds: 1 },
      },
    });
    assert.equal(presentEvent(event), event);
    assert.deepEqual(
      eventIn('{"type":"ThreadChanged","thread":4,"change":{"handedOver":null,"fresh":true}}'),
      { type: 'ThreadChanged', thread: 4, change: { handedOver: null, resetCounters: true } },
    );
  });

  test('reading an event of the previous release twice changes nothing, and every renamed event existed in that release', () => {
    const lines = earlierExport().trimEnd().split('\n');
    const stored: { type: string; body: string }[] = lines.map((line) => JSON.parse(line));
    for (const { body } of stored) {
      const event = eventIn(body);
      assert.equal(presentEvent(event), event);
    }
    const types = new Set(stored.map(({ type }) => type));
    for (const name of Object.keys(RENAMED_TYPES)) assert.ok(types.has(name), `${name} is missing`);
  });

  test('a field that has the same name as a renamed one but another meaning is not translated', () => {
    const joined = { type: 'TaskPosted', task: { id: 1, title: 'after', after: 1 }, opens: null };
    assert.deepEqual(eventIn(JSON.stringify(joined)), joined);
  });

  test('a search for the present name of an event finds its earlier name too', () => {
    assert.deepEqual(storedTypes(['PullRequestMerged', 'TaskPosted']), [
      'PullRequestMerged',
      'TaskPosted',
      'ThreadLanded',
    ]);
  });
});
