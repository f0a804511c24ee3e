import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Command } from 'commander';
import { COMMANDS as ENTRIES, loadCommands } from './commands.ts';
import { completionFor, SHELLS } from './completion-script.ts';
import { createProgram } from './program.ts';

const COMMANDS = await loadCommands();
const program = createProgram(
  ENTRIES,
  { commands: COMMANDS, streams: process, localized: (text) => text },
  async () => undefined,
);

function commandAt(path: string): Command {
  const [noun, verb] = path.split(' ');
  const first = program.commands.find((command) => command.name() === noun);
  const found = verb ? first?.commands.find((command) => command.name() === verb) : first;
  assert.ok(found, path);
  return found;
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

describe('commands', () => {
  it('every command has --json, and help with its summary and examples', () => {
    for (const { path, summary, examples } of COMMANDS) {
      const help = helpOf(commandAt(path));
      assert.match(help, /--json/, path);
      assert.ok(help.replace(/\s+/g, ' ').includes(summary), path);
      for (const example of examples) assert.ok(help.includes(`$ ${example}`), example);
    }
  });

  it('every noun of a command has a description', () => {
    for (const { path } of COMMANDS) {
      const [noun = '', verb] = path.split(' ');
      if (verb !== undefined) assert.notEqual(commandAt(noun).description(), '', noun);
    }
  });

  it('the commands are exactly those of the documented list', () => {
    const paths = COMMANDS.map(({ path }) => path).toSorted();
    assert.deepEqual(paths, CONTRACT.toSorted());
  });

  it('an option has the same short form in every command', () => {
    const shorts = new Map<string, string>();
    for (const { path, options = [] } of COMMANDS) {
      for (const { flags } of options) {
        const [, short = '', long = ''] = /^(?:(-\w), )?(--[\w-]+)/.exec(flags) ?? [];
        assert.equal(short, shorts.get(long) ?? short, `${path} ${long}`);
        shorts.set(long, short);
      }
    }
  });

  it('every shell completes every command', () => {
    for (const shell of SHELLS) {
      const script = completionFor(shell, COMMANDS);
      for (const { path } of COMMANDS) {
        for (const word of path.split(' ')) assert.ok(script.includes(word), `${shell}: ${word}`);
      }
    }
  });
});

const CONTRACT = [
  ...[
    'start',
    'stop',
    'demo',
    'init',
    'doctor',
    'pause',
    'resume',
    'drain',
    'board',
    'events',
    'completion',
  ],
  ...['backup', 'restore', 'export', 'import', 'forge add', 'audit verify', 'version'],
  ...['config check', 'config show', 'model play'],
  ...['add', 'list', 'show', 'edit', 'pause', 'resume', 'remove'].map((verb) => `project ${verb}`),
  ...['add', 'list', 'show', 'why', 'log', 'cancel', 'retry'].map((verb) => `task ${verb}`),
  ...['reopen', 'edit', 'approve', 'answer', 'release'].map((verb) => `task ${verb}`),
  ...['list', 'show', 'diff', 'review', 'handover', 'handback'].map((verb) => `thread ${verb}`),
  ...['recheck', 'merge', 'close', 'mark-merged'].map((verb) => `thread ${verb}`),
  ...['run', 'list', 'drain'].map((verb) => `worker ${verb}`),
  ...['list', 'pause', 'resume'].flatMap((verb) => [`agents ${verb}`, `invokers ${verb}`]),
  ...['list', 'set', 'remove', 'rotate'].map((verb) => `secrets ${verb}`),
  ...['list', 'sync'].map((verb) => `sources ${verb}`),
  ...['create', 'list', 'revoke'].map((verb) => `token ${verb}`),
  ...['list', 'approve', 'deny'].map((verb) => `approvals ${verb}`),
  ...['list', 'add', 'remove', 'test', 'audit'].map((verb) => `rules ${verb}`),
];
