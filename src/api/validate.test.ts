import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ROUTES } from './routes.ts';
import { type Mistake, validate } from './validate.ts';

const TASKS = ROUTES.postTasks.body;

function mistakesIn(value: unknown): { mistakes: readonly Mistake[]; total: number } {
  const checked = validate(TASKS, value);
  if (!checked.mistakes) throw new Error('no mistakes were found');
  return checked;
}

describe('the mistakes in a request', () => {
  // When each key cost the whole message, 16,000 took ten seconds and these would take an hour.
  it('300,000 unknown keys are counted, and the first 20 are listed with a suggestion', () => {
    const keys = Array.from({ length: 300_000 }, (_, at) => [`titel_${at}`, 1]);
    const { mistakes, total } = mistakesIn({ titel: 'x', ...Object.fromEntries(keys) });
    const unknown = mistakes.filter(({ message }) => message.startsWith('is not a known field'));
    assert.equal(mistakes.length, 20);
    assert.deepEqual(unknown[0], {
      path: 'titel',
      message: 'is not a known field; did you mean title?',
    });
    assert.ok(total > 300_000, `${total} in all`);
  });

  it('the mistakes of a batch are counted, and the first 20 are listed with their positions', () => {
    const tasks = Array.from({ length: 1_000 }, () => ({
      project: 'shop',
      title: 1,
      size: 'huge',
    }));
    const { mistakes, total } = mistakesIn(tasks);
    assert.deepEqual(mistakes[2], { path: '[1].title', message: 'must be text' });
    assert.deepEqual([mistakes.length, total], [20, 2_000]);
  });
});
