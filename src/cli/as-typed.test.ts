import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asTyped } from './as-typed.ts';
import { loadCommands } from './commands.ts';

const commands = await loadCommands();
const specOf = (path: string) => commands.find((spec) => spec.path === path);

test('a field of the API is named as the option or argument that fills it', () => {
  for (const [command, field, typed] of [
    ['task add', 'size', '--size'],
    ['task add', 'depends_on[0]', '--depends-on'],
    ['task add', 'labels[2]', '--label'],
    ['project add', 'default_size', '--default-size'],
    ['project add', 'max_workers', '--max-workers'],
    ['task list', 'state[0]', '--state'],
    ['task why', 'id', '<task>'],
    ['thread show', 'id', '<thread>'],
  ] as const) {
    assert.equal(asTyped(field, specOf(command)), typed, `${command}: ${field}`);
  }
});

test('a path into a file, or a field without an option, keeps its name', () => {
  assert.equal(asTyped('[0].size', specOf('task add')), '[0].size');
  assert.equal(asTyped('fence', specOf('task add')), 'fence');
  assert.equal(asTyped('size', undefined), 'size');
});
