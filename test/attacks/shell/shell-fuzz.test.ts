import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createShell } from '../../../src/adapters/shell/shell.ts';
import type { ParsedCommand } from '../../../src/domain/parsed-command.ts';
import { judge } from '../../../src/domain/tool-policy/judge-command.ts';
import type { Rule } from '../../../src/domain/tool-policy/rule.ts';
import { commandFrom } from './grammar.ts';
import { createRecorder, type Recorder } from './recorder.ts';

/**
 * A few seconds in a usual run. `GUILDHALL_SHELL_SEEDS` asks for more, and a run that is longer than the
 * runner allows a file goes by itself: `GUILDHALL_SHELL_SEEDS=1000000 node <this file>`.
 */
const SEEDS = Number(process.env['GUILDHALL_SHELL_SEEDS'] ?? 400);
const FIRST = Number(process.env['GUILDHALL_SHELL_FIRST'] ?? 1);

/** After so many commands a long run says how far it is. */
const PROGRESS = 10_000;

const shell = createShell();
const at = { worktree: '/cell', cwd: '/cell', links: new Map<string, string>() };

/** Everything a table knows is accepted, so that only the reading stands between a command and a yes. */
const ANYTHING: Rule = {
  ...{ id: 1 as Rule['id'], scope: null, verdict: 'accept', match: { program: '*' } },
  ...{ expires: null, note: '', setAt: 0, setBy: 'test' },
};

function verdictOn(command: string, reading: ParsedCommand): string {
  const request = { command, reading, project: 'p', at, gate: 'strict', now: 0 } as const;
  return judge([ANYTHING], request).verdict;
}

function isSeen(program: string, reading: ParsedCommand): boolean {
  return reading.parts.some((part) => part.program.split('/').at(-1) === program);
}

/** What a command starts unseen; undefined where a person would be asked, or bash does not end. */
function missedIn(recorder: Recorder, command: string): readonly string[] | undefined {
  const reading = shell.read(command);
  if (reading.doubts.length > 0 && verdictOn(command, reading) !== 'accept') return undefined;
  const missed = () => recorder.started(command)?.filter((program) => !isSeen(program, reading));
  const first = missed();
  // What an earlier command left running may write its name late; what this one starts, it starts again.
  return first === undefined || first.length === 0 ? first : (missed() ?? first);
}

describe('the shell reader compared with bash', () => {
  test(`A34: none of ${SEEDS} generated commands starts a program that the reader missed`, () => {
    using recorder = createRecorder();
    const misses: string[] = [];
    let run = 0;
    for (let seed = FIRST; seed < FIRST + SEEDS; seed += 1) {
      const command = commandFrom(seed);
      const missed = missedIn(recorder, command);
      if (missed !== undefined) run += 1;
      if (missed !== undefined && missed.length > 0) {
        const miss = `seed ${seed}: ${missed.join(' ')} of ${JSON.stringify(command)}`;
        process.stderr.write(`${miss}\n`);
        misses.push(miss);
      }
      const done = seed - FIRST + 1;
      if (done % PROGRESS === 0) {
        process.stderr.write(`${done} of ${SEEDS}, ${run} run in bash, ${misses.length} misses\n`);
      }
    }
    assert.deepEqual(misses, []);
    assert.ok(run > SEEDS / 20, `only ${run} of ${SEEDS} commands were run in bash`);
  });
});
