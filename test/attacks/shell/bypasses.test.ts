import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createShell } from '../../../src/adapters/shell/shell.ts';
import { judge } from '../../../src/domain/tool-policy/judge-command.ts';
import { GATE_MODES, type GateMode } from '../../../src/domain/tool-policy/verdict.ts';
import corpus from './bypasses.json' with { type: 'json' };

/**
 * Ways to make a gate say yes to what it should not. `denied` reach for the network, keys or the machine
 * and can be read; `stopped` at least must wait for a person. Both hold in every mode of the gate. Of
 * `unlisted` the tables know nothing bad, and the mode decides.
 */
const { denied: DENIED, stopped: STOPPED, unlisted: UNLISTED } = corpus;

const shell = createShell();
const at = { worktree: '/cell', cwd: '/cell', links: new Map<string, string>() };

function verdictOn(command: string, gate: GateMode = 'sandboxed') {
  return judge([], { command, reading: shell.read(command), project: 'p', at, gate, now: 0 });
}

describe('A33, A36, A37, A38: known bypasses of the tool gate', () => {
  for (const [group, commands] of Object.entries(DENIED)) {
    test(`the tool gate denies every bypass of the group ${group}`, () => {
      for (const [command, gate] of inEachMode(commands)) {
        const { verdict, because } = verdictOn(command, gate);
        assert.equal(verdict, 'deny', `${gate}: ${command}: ${verdict}, ${because}`);
      }
    });
  }

  for (const [group, commands] of Object.entries(STOPPED)) {
    test(`the tool gate accepts no bypass of the group ${group}`, () => {
      for (const [command, gate] of inEachMode(commands)) {
        const { verdict, because } = verdictOn(command, gate);
        assert.notEqual(verdict, 'accept', `${gate}: ${command}: ${because}`);
      }
    });
  }

  for (const [group, commands] of Object.entries(UNLISTED)) {
    test(`gate: sandboxed accepts ${group}, and gate: strict asks a person`, () => {
      for (const command of commands) {
        assert.equal(verdictOn(command, 'sandboxed').verdict, 'accept', command);
        assert.equal(verdictOn(command, 'strict').verdict, 'review', command);
      }
    });
  }

  test('at least 200 bypasses of the tool gate are tested', () => {
    const count = [DENIED, STOPPED].flatMap((table) => Object.values(table).flat()).length;
    assert.ok(count >= 200, `${count} cases`);
  });

  test('A35: a command too complex to read is denied', () => {
    const large = [
      'ls;'.repeat(51),
      `echo ${'x'.repeat(1_000_000)}`,
      '('.repeat(10_000),
      '$('.repeat(10_000),
      'if '.repeat(10_000),
      '`'.repeat(10_000),
      '<<a '.repeat(10_000),
    ];
    for (const command of large) {
      assert.equal(verdictOn(command).rule, 'builtin:limits', command.slice(0, 30));
    }
  });

  test('a command that the reader fails on is denied', () => {
    const reading = { parts: [], doubts: [], excess: null, fault: 'broken' };
    assert.equal(
      judge([], { command: 'ls', reading, project: 'p', at, gate: 'sandboxed', now: 0 }).verdict,
      'deny',
    );
  });
});

function inEachMode(commands: readonly string[]): readonly (readonly [string, GateMode])[] {
  return commands.flatMap((command) => GATE_MODES.map((gate) => [command, gate] as const));
}
