import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createShell } from '../../../src/adapters/shell/shell.ts';
import { judge } from '../../../src/domain/tool-policy/judge-command.ts';
import commands from './ordinary-commands.json' with { type: 'json' };

interface Ordinary {
  readonly project: string;
  readonly from: string;
  readonly command: string;
  /** Programs that the project's own packages bring, as the worker's host would find them. */
  readonly bins?: readonly string[];
  readonly verdict: string;
}

const ORDINARY: readonly Ordinary[] = commands;
const shell = createShell();

function verdictOn({ command, bins = [] }: Ordinary): string {
  const links = new Map(bins.map((bin) => [bin, `/cell/node_modules/.bin/${bin}`]));
  const at = { worktree: '/cell', cwd: '/cell/packages/own', links };
  const request = { command, reading: shell.read(command), project: 'p', at, now: 0 };
  return judge([], request).verdict;
}

describe('commands of real projects', () => {
  test('each ordinary command gets the verdict in the list', () => {
    for (const ordinary of ORDINARY) {
      assert.equal(
        verdictOn(ordinary),
        ordinary.verdict,
        `${ordinary.project}: ${ordinary.command}`,
      );
    }
  });

  test('more than 95 % of at least 500 ordinary commands need no person', () => {
    const reviewed = ORDINARY.filter((ordinary) => verdictOn(ordinary) === 'review');
    const share = 1 - reviewed.length / ORDINARY.length;
    assert.ok(ORDINARY.length >= 500, `${ORDINARY.length} commands`);
    assert.ok(share > 0.95, `${(share * 100).toFixed(1)} % of ${ORDINARY.length}`);
  });

  test('the ordinary commands come from at least 100 projects, each command once', () => {
    assert.ok(new Set(ORDINARY.map(({ project }) => project)).size >= 100);
    assert.equal(new Set(ORDINARY.map(({ command }) => command)).size, ORDINARY.length);
  });
});
