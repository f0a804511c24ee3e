import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Size } from '../domain/size.ts';
import { HallToolCalls } from './hall-tool-calls.ts';
import { hallToolsFor } from './hall-tools.ts';

describe("the hall's tools", () => {
  test('a report ends the run with the declared outcome', async () => {
    const { declaration } = createCalls('implement');
    const answer = await declaration.use('report', { outcome: 'pr_created', summary: 'done' });
    assert.deepEqual(answer, { text: 'recorded; you are done', isError: false, ends: true });
    assert.deepEqual(declaration.declared, {
      how: 'reported',
      outcome: 'pr_created',
      summary: 'done',
      details: null,
      verdict: null,
      agent: null,
      children: [],
    });
  });

  test('a tool call after the end of the run is refused and changes nothing', async () => {
    const { declaration } = createCalls('implement');
    await declaration.use('ask', { question: 'which?' });
    const after = await declaration.use('report', { outcome: 'completed', summary: 'x' });
    assert.equal(after.isError, true);
    assert.equal(declaration.declared?.how, 'asked');
  });

  test('a rejection carries its code, message, missing parts, questions and size', async () => {
    const { declaration } = createCalls('implement');
    await declaration.use('reject', {
      reason_code: 'underspecified',
      message: 'no numbers',
      missing: ['a price'],
      questions: ['gross or net?'],
      suggested_size: 'S',
    });
    assert.deepEqual(declaration.declared, {
      how: 'rejected',
      rejection: {
        reasonCode: 'underspecified',
        message: 'no numbers',
        missing: ['a price'],
        questions: ['gross or net?'],
        suggestedSize: 'S',
      },
    });
  });

  test('a review cannot report a pull request, and cannot end without a verdict', async () => {
    const { declaration } = createCalls('review');
    const pushed = await declaration.use('report', {
      outcome: 'pr_created',
      summary: 'x',
      verdict: 'approved',
    });
    assert.match(pushed.text, /outcome must be one of completed, comment_posted, failed/);
    const silent = await declaration.use('report', { outcome: 'comment_posted', summary: 'x' });
    assert.match(silent.text, /verdict is missing/);
    assert.equal(declaration.declared, undefined);
  });

  for (const [size, count, isEnough] of [
    ['XL', 4, false],
    ['XL', 5, true],
    ['M', 1, false],
    ['M', 2, true],
  ] as const) {
    test(`a report with ${count} parts of a task of size ${size} is ${isEnough ? 'accepted' : 'refused'}`, async () => {
      const { declaration } = createCalls('decompose', size);
      for (let n = 0; n < count; n += 1)
        await declaration.use('propose_child', { ref: `p${n}`, title: 't', body: 'b' });
      const answer = await declaration.use('report', { outcome: 'completed', summary: 's' });
      assert.equal(answer.ends, isEnough);
    });
  }

  test('a 26th part is refused, and so is a second part with the same ref', async () => {
    const { declaration } = createCalls('decompose', 'XL');
    for (let n = 0; n < 25; n += 1)
      await declaration.use('propose_child', { ref: `p${n}`, title: 't', body: 'b' });
    for (const ref of ['p25', 'p3']) {
      const { isError } = await declaration.use('propose_child', { ref, title: 't', body: 'b' });
      assert.equal(isError, true);
    }
  });

  for (const [name, input] of [
    ['no value', undefined],
    ['a list', []],
    ['unknown fields', { outcome: 'completed', summary: 'x', status: 'merged' }],
    ['wrong types', { outcome: 7, summary: {} }],
    ['too long a summary', { outcome: 'completed', summary: 'x'.repeat(100_000) }],
    ['an unknown outcome', { outcome: 'merged', summary: 'x' }],
    ['prototype tricks', JSON.parse('{"__proto__":{"outcome":"completed"},"summary":"x"}')],
  ] as const) {
    test(`a report with ${name} as input is refused`, async () => {
      const { declaration } = createCalls('implement');
      const { isError } = await declaration.use('report', input);
      assert.equal(isError, true);
      assert.equal(declaration.declared, undefined);
    });
  }

  test('notes and progress are passed on and do not end the run', async () => {
    const { declaration, notes, progress } = createCalls('implement');
    await declaration.use('note', { text: 'look at a.ts\0' });
    await declaration.use('progress', { text: 'testing' });
    assert.deepEqual([notes, progress], [['look at a.ts'], ['testing']]);
    assert.equal(declaration.declared, undefined);
  });
});

function createCalls(skill: string, size: Size = 'M') {
  const notes: string[] = [];
  const progress: string[] = [];
  const declaration = new HallToolCalls({
    skill,
    size,
    tools: hallToolsFor(skill),
    note: async (text) => void notes.push(text),
    progress: (text) => void progress.push(text),
  });
  return { declaration, notes, progress };
}
