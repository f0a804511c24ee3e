import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SHEETS } from '../../test/support/sheets.ts';
import { Table } from '../../test/support/table.ts';
import { briefOf } from '../domain/briefing.ts';
import { assemblePrompt } from '../domain/prompt.ts';
import { writes } from '../domain/skill.ts';
import { hallToolsFor } from './hall-tools.ts';

const ALL_TOOLS = new Set(
  ['decompose', 'review', 'triage'].flatMap((skill) => hallToolsFor(skill).map(({ name }) => name)),
);

for (const { name, text, type } of SHEETS.skills()) {
  describe(`the skill ${name}`, () => {
    const prompt = promptFor(name, type);

    test('CH-075: has every word it leaves to be filled in', () => {
      assert.doesNotMatch(`${prompt.system}${prompt.task}`, /\{\{/);
      assert.ok(prompt.task.includes(text.trim().split('\n')[0] ?? ''));
    });

    test('CH-075: names no tool of the hall that its agent does not have', () => {
      const has = hallToolsFor(name).map((tool) => tool.name);
      const named = [...`${text}${SHEETS.contract()}`.matchAll(/`([a-z_]+)`/g)].map(
        ([, word]) => word,
      );
      for (const tool of named.filter((word) => ALL_TOOLS.has(word ?? ''))) {
        assert.ok(has.includes(tool ?? ''), `${tool} is not offered`);
      }
    });

    test('CH-075: ends in outcomes that its report takes', () => {
      const [report] = hallToolsFor(name);
      const { outcome } = (report?.parameters['properties'] ?? {}) as {
        outcome: { enum: readonly string[] };
      };
      const named = [...text.matchAll(/outcome `([a-z_]+)`/g)].map(([, word]) => word ?? '');
      assert.ok(named.length > 0);
      for (const word of named) assert.ok(outcome.enum.includes(word), word);
    });
  });
}

/** As an agent that took such a task would be told. */
function promptFor(skill: string, type: string) {
  const table = Table.usual();
  const { task: id } = table.post({ skill, type });
  const task = table.board.tasks.get(id);
  const thread = task && table.board.threads.get(task.thread);
  assert.ok(task && thread);
  const asking = { instance: `${type}-default`, thread, writes: writes(skill) };
  const brief = briefOf(table.board, task, asking, {
    task: { title: 'a task', body: '' },
    asked: { title: 'a task', body: 'do it', by: 'ada' },
    notes: [],
    contract: SHEETS.contract(),
    skill: SHEETS.skill(skill) ?? '',
    persona: (slug) => SHEETS.persona(slug),
  });
  assert.ok(brief);
  const words = { ...brief.prompt.words, work: '/cell', base: 'main' };
  return assemblePrompt({ ...brief.prompt, words });
}
