import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { BoardFixture } from '../../test/support/board-fixture.ts';
import { PROMPT_FILES } from '../../test/support/prompt-files.ts';
import { assemblePrompt } from '../domain/prompt.ts';
import { writes } from '../domain/skill.ts';
import { briefOf } from '../domain/write-brief.ts';
import { mistakesIn } from './check-tool-input.ts';
import { hallToolsFor } from './hall-tools.ts';

const ALL_TOOLS = new Set(
  ['decompose', 'review', 'triage'].flatMap((skill) => hallToolsFor(skill).map(({ name }) => name)),
);

for (const { name, text, type } of PROMPT_FILES.skills()) {
  describe(`the skill ${name}`, () => {
    const prompt = promptFor(name, type);

    test(`the prompt of the skill ${name} has no unfilled placeholder`, () => {
      assert.doesNotMatch(`${prompt.system}${prompt.task}`, /\{\{/);
      assert.ok(prompt.task.includes(text.trim().split('\n')[0] ?? ''));
    });

    test(`the skill ${name} names only hall tools that its agent has`, () => {
      const has = hallToolsFor(name).map((tool) => tool.name);
      const named = [...`${text}${PROMPT_FILES.contract()}`.matchAll(/`([a-z_]+)`/g)].map(
        ([, word]) => word,
      );
      for (const tool of named.filter((word) => ALL_TOOLS.has(word ?? ''))) {
        assert.ok(has.includes(tool ?? ''), `${tool} is not offered`);
      }
    });

    test(`the skill ${name} names only outcomes that its report accepts`, () => {
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

describe('the script on the reference page', () => {
  const page = readFileSync(new URL('../../docs/reference/script.md', import.meta.url), 'utf8');
  const shown: ShownScript = parse(/```yaml\n(.+?)```/s.exec(page)?.[1] ?? '');
  const prompts = [...PROMPT_FILES.skills()].map(({ name, type }) => ({
    name,
    ...promptFor(name, type),
  }));

  test('the example script matches the prompts of agents, and its reports are valid', () => {
    assert.ok(shown.scenes.length >= 2);
    for (const { name, when, find = {}, steps } of shown.scenes) {
      const agent = prompts.find(({ task }) => task.includes(when.prompt));
      assert.ok(agent, `a prompt contains ${when.prompt}`);
      for (const pattern of Object.values(find)) assert.match(agent.task, new RegExp(pattern));
      const [report] = hallToolsFor(agent.name);
      const reports = steps
        .map(({ use }) => use)
        .filter((use) => use?.tool === 'mcp__hall__report');
      assert.equal(reports.length, 1, name);
      assert.deepEqual(mistakesIn(report?.parameters ?? {}, reports[0]?.input).mistakes, [], name);
    }
  });
});

interface ShownScript {
  readonly scenes: readonly {
    readonly name: string;
    readonly when: { readonly prompt: string };
    readonly find?: Readonly<Record<string, string>>;
    readonly steps: readonly {
      readonly use?: { readonly tool: string; readonly input: unknown };
    }[];
  }[];
}

/** The prompt of an agent that claimed such a task. */
function promptFor(skill: string, type: string) {
  const table = BoardFixture.usual();
  const { task: id } = table.post({ skill, type });
  const task = table.board.tasks.get(id);
  const thread = task && table.board.threads.get(task.thread);
  assert.ok(task && thread);
  const claim = { instance: `${type}-default`, thread, writes: writes(skill) };
  const brief = briefOf(table.board, task, claim, {
    task: { title: 'a task', body: '' },
    request: { title: 'a task', body: 'do it', by: 'ada' },
    notes: [],
    contract: PROMPT_FILES.contract(),
    skill: PROMPT_FILES.skill(skill) ?? '',
    persona: (slug) => PROMPT_FILES.persona(slug),
  });
  assert.ok(brief);
  const words = { ...brief.prompt.words, work: '/cell', base: 'main' };
  return assemblePrompt({ ...brief.prompt, words });
}
