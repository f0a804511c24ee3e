import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BoardFixture, DONE, PERSONA_SETTINGS, RESULT } from '../../test/support/board-fixture.ts';
import { declarePersonas } from './apply-config.ts';
import { reportChecks } from './checking/report-checks.ts';
import type { TaskId } from './ids.ts';
import { type PersonaSettings, personaFilesFor, personaOf } from './persona.ts';

describe('the persona of a run', () => {
  test('a run has the persona that its task asks for, else the one of its type', () => {
    const table = BoardFixture.usual().persona('hamlet').persona('ophelia');
    table.type('dev', { persona: 'hamlet' });
    const slugOf = (task: TaskId) =>
      personaOf(table.board, table.board.tasks.get(task) ?? assert.fail('it is gone'))?.slug;
    assert.equal(slugOf(table.post().task), 'hamlet');
    assert.equal(slugOf(table.post({ agent: 'ophelia' }).task), 'ophelia');
    assert.equal(slugOf(table.post({ agent: 'dev-default' }).task), 'hamlet');
    assert.equal(slugOf(table.post({ skill: 'review' }).task), undefined);
  });

  test('a persona with the name of a type or an instance is not that of their tasks', () => {
    const table = BoardFixture.usual();
    for (const name of ['dev', 'dev-default']) {
      table.persona(name, { type: 'reviewer' });
      const task = { agent: name, instance: null };
      assert.equal(personaOf(table.board, { ...task, type: 'dev' }), undefined);
      assert.equal(personaOf(table.board, { ...task, type: 'reviewer' })?.slug, name);
    }
  });

  test('a persona file with the name of an instance is its own, unless it is that of a persona', () => {
    const table = BoardFixture.usual().persona('hamlet').type('dev', { persona: 'hamlet' });
    table.instance('ada', 'dev').instance('hamlet', 'dev');
    const asked = (name: string) => ({ agent: name, instance: name, type: 'dev' });
    assert.deepEqual(personaFilesFor(table.board, asked('ada')), ['ada', 'hamlet']);
    assert.deepEqual(personaFilesFor(table.board, asked('hamlet')), ['hamlet']);
    assert.deepEqual(personaFilesFor(table.board, { ...asked('hamlet'), instance: null }), [
      'hamlet',
    ]);
  });
});

/** A pull request of a persona whose checks fail. */
function redPullRequest(settings: Partial<PersonaSettings>, maxRetries: number) {
  const table = new BoardFixture().project('shop', {
    repo: 'file:/shop',
    checks: [{ name: 'tests', run: 'true' }],
    maxRetries,
  });
  for (const type of ['dev', 'elf']) table.type(type).instance(`${type}-default`, type);
  table.persona('ophelia', { type: 'elf', ...settings });
  const { thread } = table.post({ agent: 'ophelia' });
  const claimed = table.claim(table.worker('elf-default'));
  table.report(claimed, {
    ...DONE,
    outcome: 'pr_created',
    result: { ...RESULT, branch: 'hall/ophelia/issue-1', commit: 'a'.repeat(40) },
  });
  const checks = { commit: 'a'.repeat(40), is: 'red', failing: ['tests'] } as const;
  table.do(reportChecks(table.board, { thread, checks, excerpt: '' }, table.now));
  return { table, thread };
}

describe('a thread that is bound to a persona', () => {
  test('its next task is for the type of its persona, under the same slug', () => {
    const { table, thread } = redPullRequest({}, 3);
    const [id] = table.board.threads.get(thread)?.tasks ?? [];
    const task = table.board.tasks.get(id as TaskId) ?? assert.fail('nothing was posted');
    assert.deepEqual(
      [task.skill, task.type, task.instance, task.agent],
      ['fix-ci', 'elf', null, 'ophelia'],
    );
  });

  test('the stricter retry limit of project and persona applies', () => {
    const limits = [
      [0, 3],
      [3, 0],
    ] as const;
    for (const [persona, project] of limits) {
      const { table, thread } = redPullRequest({ maxRetries: persona }, project);
      const { tasks, handedOver } = table.board.threads.get(thread) ?? assert.fail('it is gone');
      assert.deepEqual(tasks, [], `${persona} and ${project}`);
      assert.match(handedOver?.because ?? '', /its checks failed 1 times in a row/);
    }
  });
});

describe('the catalog of personas on the board', () => {
  const declared = (table: BoardFixture, ...names: readonly string[]) => {
    const entries = names.map((name) => ({ name, settings: PERSONA_SETTINGS, declared: null }));
    table.apply(...declarePersonas(table.board, entries));
  };

  test('a catalog that did not change writes nothing, and one with mistakes changes nothing', () => {
    const table = BoardFixture.usual();
    declared(table, 'hamlet');
    const told = table.events.length;
    declared(table, 'hamlet');
    table.apply(...declarePersonas(table.board, null));
    assert.equal(table.events.length, told);
  });

  test('a persona that left the catalog serves the threads that are bound to it, and no others', () => {
    const table = BoardFixture.usual();
    declared(table, 'hamlet', 'ophelia');
    table.post({ agent: 'ophelia' });
    declared(table);
    assert.deepEqual([...table.board.personas.keys()], ['ophelia']);
    assert.equal(table.refused(table.posting({ agent: 'ophelia' })).refused, 'unknown_agent');
    table.report(table.claim());
    declared(table);
    assert.equal(table.board.personas.size, 0);
  });
});
