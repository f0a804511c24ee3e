import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createShell } from '../../../src/adapters/shell/shell.ts';
import { judge } from '../../../src/domain/tool-policy/judge-command.ts';
import type { GateMode } from '../../../src/domain/tool-policy/verdict.ts';
import { sizeInTier } from '../../support/tier.ts';
import { createEffectRecorder, type EffectRecorder } from './effect-recorder.ts';
import { spellingFrom } from './option-spellings.ts';

const SEEDS = sizeInTier({ test: 1_000, full: 20_000 });
const FIRST = Number(process.env['GUILDHALL_SHELL_FIRST'] ?? 1);

/** So many of the refused calls are run too, to see that they would have done what they were refused for. */
const CALIBRATED = 100;

const shell = createShell();
const at = { worktree: '/cell', cwd: '/cell', links: new Map<string, string>() };

function verdictOn(command: string, gate: GateMode): string {
  return judge([], { command, reading: shell.read(command), project: 'p', at, gate, now: 0 })
    .verdict;
}

interface Found {
  readonly accepted: readonly string[];
  readonly missed: readonly string[];
  readonly refused: readonly string[];
}

/** Judges the call of each seed, and runs those that are accepted without a person. */
function judgeSeeds(recorder: EffectRecorder): Found {
  const accepted: string[] = [];
  const missed: string[] = [];
  const refused: string[] = [];
  for (let seed = FIRST; seed < FIRST + SEEDS; seed += 1) {
    const { command, isDangerous } = spellingFrom(seed);
    if (isDangerous) refused.push(command);
    if (isDangerous && verdictOn(command, 'sandboxed') === 'accept')
      missed.push(`seed ${seed}: sandboxed accepts ${command}`);
    if (verdictOn(command, 'strict') !== 'accept') continue;
    accepted.push(command);
    const effects = recorder.effectsOf(command);
    if (effects.length > 0) missed.push(`seed ${seed}: ${effects.join(', ')} by ${command}`);
  }
  return { accepted, missed, refused };
}

describe('the tables of the tool gate compared with the real programs', () => {
  test(`none of ${SEEDS} spellings of listed options is accepted and takes an effect that the verdict does not allow`, () => {
    using recorder = createEffectRecorder();
    const { accepted, missed, refused } = judgeSeeds(recorder);
    assert.deepEqual(missed, []);
    assert.ok(accepted.length > SEEDS / 10, `only ${accepted.length} calls were run`);
    const calibrated = refused.slice(0, CALIBRATED);
    const real = calibrated.filter((command) => recorder.effectsOf(command).length > 0);
    assert.ok(real.length >= 3, `only ${real.length} of ${calibrated.length} took effect`);
  });
});
