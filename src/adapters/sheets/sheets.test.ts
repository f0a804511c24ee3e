import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { SHEETS } from '../../../test/support/sheets.ts';
import { ROOT } from '../../../test/support/tree.ts';
import { defaultType, KNOWN_SKILLS, writes } from '../../domain/skill.ts';
import { openSheets } from './sheets.ts';

describe('the sheets of the product', () => {
  test('CH-075a: have every skill, each with the type and the rights that the board knows', () => {
    assert.deepEqual(
      SHEETS.skills().map(({ name }) => name),
      [...KNOWN_SKILLS].sort(),
    );
    for (const skill of SHEETS.skills()) {
      assert.equal(skill.type, defaultType(skill.name), skill.name);
      assert.equal(skill.writes, writes(skill.name), skill.name);
    }
  });

  test('have the contract and a small roster', () => {
    assert.match(SHEETS.contract(), /contract of every agent/i);
    for (const slug of ['old-major', 'hamlet', 'portia']) assert.ok(SHEETS.persona(slug), slug);
    assert.equal(SHEETS.persona('nobody'), null);
  });
});

describe('the sheets of an operator', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sheets-'));
  after(() => rmSync(folder, { recursive: true }));
  const sheets = openSheets([folder, ROOT]);
  mkdirSync(join(folder, 'roster'));
  mkdirSync(join(folder, 'skills'));

  test('hide those of the product, and are read again when they change', () => {
    const path = join(folder, 'roster/hamlet.md');
    writeFileSync(path, 'To be');
    assert.equal(sheets.persona('hamlet'), 'To be');
    writeFileSync(path, 'Not to be');
    assert.equal(sheets.persona('hamlet'), 'Not to be');
    rmSync(path);
    assert.match(sheets.persona('hamlet') ?? '', /small, finished things/);
  });

  test('A29: are found by slug alone, never by a path', () => {
    for (const name of ['../agents/automaton_base', 'a/b', '..', '', 'A', 'a\0']) {
      assert.equal(sheets.persona(name), null);
      assert.equal(sheets.skill(name), null);
    }
  });

  test('say what is wrong with a skill without a head', () => {
    writeFileSync(join(folder, 'skills/odd.md'), '# Odd');
    assert.throws(() => sheets.skill('odd'), {
      name: 'SheetFailed',
      message: /odd\.md must begin with a head that names its type and whether it writes/,
    });
  });
});
