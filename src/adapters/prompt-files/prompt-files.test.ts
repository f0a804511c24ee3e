import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { PROMPT_FILES } from '../../../test/support/prompt-files.ts';
import { ROOT } from '../../../test/support/tree.ts';
import { defaultType, KNOWN_SKILLS, writes } from '../../domain/skill.ts';
import { openPromptFiles } from './prompt-files.ts';

describe('the prompt files of the product', () => {
  test('CH-075a: the product has a prompt file for every skill, with the type and rights that the board knows', () => {
    assert.deepEqual(
      PROMPT_FILES.skills().map(({ name }) => name),
      [...KNOWN_SKILLS].sort(),
    );
    for (const skill of PROMPT_FILES.skills()) {
      assert.equal(skill.type, defaultType(skill.name), skill.name);
      assert.equal(skill.writes, writes(skill.name), skill.name);
    }
  });

  test('the product has a contract and persona files', () => {
    assert.match(PROMPT_FILES.contract(), /contract of every agent/i);
    for (const slug of ['old-major', 'hamlet', 'portia'])
      assert.ok(PROMPT_FILES.persona(slug), slug);
    assert.equal(PROMPT_FILES.persona('nobody'), null);
  });
});

describe('the prompt files of an operator', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sheets-'));
  after(() => rmSync(folder, { recursive: true }));
  const promptFiles = openPromptFiles([folder, ROOT]);
  mkdirSync(join(folder, 'roster'));
  mkdirSync(join(folder, 'skills'));

  test("an operator's prompt files override those of the product and are read again when they change", () => {
    const path = join(folder, 'roster/hamlet.md');
    writeFileSync(path, 'To be');
    assert.equal(promptFiles.persona('hamlet'), 'To be');
    writeFileSync(path, 'Not to be');
    assert.equal(promptFiles.persona('hamlet'), 'Not to be');
    rmSync(path);
    assert.match(promptFiles.persona('hamlet') ?? '', /small, finished things/);
  });

  test('A29: a prompt file is found by its slug, never by a path', () => {
    for (const name of ['../agents/automaton_base', 'a/b', '..', '', 'A', 'a\0']) {
      assert.equal(promptFiles.persona(name), null);
      assert.equal(promptFiles.skill(name), null);
    }
  });

  test('a skill without front matter is refused, and the message says what it needs', () => {
    writeFileSync(join(folder, 'skills/odd.md'), '# Odd');
    assert.throws(() => promptFiles.skill('odd'), {
      name: 'PromptFileFailed',
      message: /odd\.md must begin with front matter that sets type and writes/,
    });
  });
});
