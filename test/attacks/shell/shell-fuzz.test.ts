import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createShell } from '../../../src/adapters/shell/shell.ts';
import type { Reading } from '../../../src/domain/shell-reading.ts';
import { judge } from '../../../src/domain/tool-policy.ts';
import type { Rule } from '../../../src/domain/tool-rule.ts';
import { commandFrom } from './grammar.ts';
import { createRecorder } from './recorder.ts';

/** A few seconds in a usual run; `GUILDHALL_SHELL_SEEDS` asks for more. */
const SEEDS = Number(process.env['GUILDHALL_SHELL_SEEDS'] ?? 400);
const FIRST = Number(process.env['GUILDHALL_SHELL_FIRST'] ?? 1);

const shell = createShell();
const at = { worktree: '/cell', cwd: '/cell', links: new Map<string, string>() };

/** Everything a table knows is accepted, so that only the reading stands between a command and a yes. */
const ANYTHING: Rule = {
  ...{ id: 1 as Rule['id'], scope: null, verdict: 'accept', match: { command: '*' } },
  ...{ expires: null, note: '', setAt: 0, setBy: 'test' },
};

function verdictOn(command: string, reading: Reading): string {
  const asked = { command, reading, project: 'p', at, now: 0 };
  return judge([{ ...ANYTHING, match: { program: '*' } }], asked).verdict;
}

function isSeen(program: string, reading: Reading): boolean {
  return reading.parts.some((part) => part.program.split('/').at(-1) === program);
}

describe('the shell gate against bash', () => {
  test(`A34: of ${SEEDS} generated commands none starts a program that the reading did not see`, () => {
    using recorder = createRecorder();
    let judged = 0;
    for (let seed = FIRST; seed < FIRST + SEEDS; seed += 1) {
      const command = commandFrom(seed);
      const reading = shell.read(command);
      if (reading.doubts.length > 0 && verdictOn(command, reading) !== 'accept') continue;
      const missed = () =>
        recorder.started(command)?.filter((program) => !isSeen(program, reading));
      const first = missed();
      if (!first) continue;
      judged += 1;
      // What an earlier command left running may write its name late; what this one starts, it starts again.
      const again = first.length === 0 ? first : (missed() ?? first);
      assert.deepEqual(again, [], `seed ${seed}: ${JSON.stringify(command)}`);
    }
    assert.ok(judged > SEEDS / 20, `only ${judged} of ${SEEDS} commands were run in bash`);
  });
});
