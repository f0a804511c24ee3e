import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createShell } from '../../../src/adapters/shell/shell.ts';
import { judge } from '../../../src/domain/tool-policy/judge-command.ts';
import type { GateMode } from '../../../src/domain/tool-policy/verdict.ts';
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

function verdictOn({ command, bins = [] }: Ordinary, gate: GateMode = 'sandboxed'): string {
  const links = new Map(bins.map((bin) => [bin, `/cell/node_modules/.bin/${bin}`]));
  const at = { worktree: '/cell', cwd: '/cell/packages/own', links };
  const request = { command, reading: shell.read(command), project: 'p', at, gate, now: 0 };
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

  test('more than 95 % of at least 500 ordinary commands need no person under the default', () => {
    assert.ok(ORDINARY.length >= 500, `${ORDINARY.length} commands`);
    assert.ok(shareWithoutPerson('sandboxed') > 0.95, `${shareWithoutPerson('sandboxed')}`);
  });

  test('gate: strict leaves more than 80 % of the ordinary commands without a person', () => {
    assert.ok(shareWithoutPerson('strict') > 0.8, `${shareWithoutPerson('strict')}`);
  });

  test('the usual ways to build and test a repository need no person under the default', () => {
    const usual = [
      ...[
        'npm run build',
        'npm test -- --watch=false',
        'npm ci',
        'make -j8 check',
        'make test V=1',
      ],
      ...['./gradlew build --no-daemon', './gradlew :app:test --info', 'pytest -x tests/unit'],
      ...['python -m pytest -k login', 'cargo test --workspace', 'cargo clippy -- -D warnings'],
      ...[
        'cargo +nightly fmt --check',
        './mvnw -q verify',
        'go test ./...',
        'tox -e py312',
        'just ci',
      ],
    ];
    const asked = usual.filter(
      (command) => verdictOn({ command, project: '', from: '', verdict: '' }) !== 'accept',
    );
    assert.deepEqual(asked, []);
  });

  test('the ordinary commands come from at least 100 projects, each command once', () => {
    assert.ok(new Set(ORDINARY.map(({ project }) => project)).size >= 100);
    assert.equal(new Set(ORDINARY.map(({ command }) => command)).size, ORDINARY.length);
  });
});

function shareWithoutPerson(gate: GateMode): number {
  const reviewed = ORDINARY.filter((ordinary) => verdictOn(ordinary, gate) === 'review');
  return 1 - reviewed.length / ORDINARY.length;
}
