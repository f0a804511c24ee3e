import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ForgeBoard } from '../../../test/support/forge-board.ts';
import { labelChanges, labelSet } from './label-set.ts';

const DEV = { name: 'hall:dev', color: '5319e7', description: 'Set it to start dev' };

describe('the labels of the hall', () => {
  test('there is one for each state and each agent, with a description that every forge accepts', () => {
    const labels = labelSet(ForgeBoard.open().board);
    const names = labels.map(({ name }) => name);
    for (const name of ['hall:queued', 'hall:dispatch-automaton', 'hall:dev', 'hall:dev-default']) {
      assert.ok(names.includes(name), name);
    }
    assert.equal(new Set(names).size, names.length);
    for (const { color, description } of labels) {
      assert.match(color, /^[0-9a-f]{6}$/);
      assert.ok(description !== '' && description.length <= 100, description);
    }
  });

  for (const [what, found, expected] of [
    ['is missing', [], { create: [DEV], edit: [] }],
    ['is as it should be', [{ ...DEV, id: '7' }], { create: [], edit: [] }],
    [
      'is written in other case',
      [{ ...DEV, id: '7', name: 'Hall:Dev' }],
      { create: [], edit: ['7'] },
    ],
    [
      'has its colour in capitals',
      [{ ...DEV, id: '7', color: '5319E7' }],
      { create: [], edit: [] },
    ],
    ['was recoloured', [{ ...DEV, id: '7', color: '000000' }], { create: [], edit: ['7'] }],
    [
      'was described otherwise',
      [{ ...DEV, id: '7', description: '' }],
      { create: [], edit: ['7'] },
    ],
    [
      'is there twice',
      [
        { ...DEV, id: '7' },
        { ...DEV, id: '8' },
      ],
      { create: [], edit: [] },
    ],
  ] as const) {
    test(`a label that ${what} leads to no more changes than needed`, () => {
      const { create, edit } = labelChanges(found, [DEV]);
      assert.deepEqual({ create, edit: edit.map(({ id }) => id) }, expected);
    });
  }
});
