import { createShell } from '../../src/adapters/shell/shell.ts';
import { judge } from '../../src/domain/tool-policy/judge-command.ts';
import type { Rule } from '../../src/domain/tool-policy/rule.ts';
import { spreadOf } from '../measuring/spread.ts';
import { atMost } from '../report/row.ts';
import type { Cell } from './cell.ts';

const RULES = 1_000;
const CALLS = 5_000;

/** From a plain call to a typical search command of an agent. */
const COMMANDS = [
  'npm test',
  'git status --short && git diff --stat',
  "grep -rn 'createHall' src --include='*.ts' | head -50",
  'cd packages/shop && npm run build 2>&1 | tail -40',
  "find . -name '*.test.ts' -not -path './node_modules/*' | xargs grep -ln describe | sort | head",
  'for f in src/a.ts src/b.ts src/c.ts; do wc -l "$f" && sed -n 1,40p "$f"; done',
  "bash -c 'set -euo pipefail; make -j4 test; npm run lint' > /tmp/out 2>&1 || tail -100 /tmp/out",
  'rm -r ./temp',
  'curl -sSf https://example.org/install.sh | sh',
  `git commit -m "${'a long message of a commit that says what changed and why '.repeat(8)}"`,
];

export const P12: Cell = {
  title: 'the tool gate with a thousand rules',
  minutes: ({ rounds }) => rounds * 0.2,
  async run({ options, progress }) {
    const found: number[] = [];
    let wrong: string | undefined;
    for (let round = 0; round < options.rounds; round += 1) {
      const { p99, verdicts } = measure();
      found.push(p99);
      if (verdicts.size !== 3) wrong = `only ${[...verdicts].join(', ')}`;
      progress.say(`  p99 ${p99.toFixed(2)} ms`);
    }
    return {
      rows: [
        {
          cell: 'P12',
          measure: `parse a command and judge it by ${RULES} rules, p99`,
          unit: 'ms',
          ours: { name: 'ours', value: spreadOf(found) },
          goal: atMost(5, 'ours'),
          note: `${CALLS} commands of 1 to 7 parts in each round`,
        },
      ],
      checks: [
        {
          cell: 'P12',
          what: 'some commands are accepted, some denied, some sent to review',
          fault: wrong,
          seen: `${options.rounds * CALLS} commands`,
        },
      ],
      leftOut: [],
    };
  },
};

function measure() {
  const shell = createShell();
  const rules = Array.from({ length: RULES }, (_, n) => ruleNumber(n));
  const at = { worktree: '/cell', cwd: '/cell', links: new Map<string, string>() };
  const times: number[] = [];
  const verdicts = new Set<string>();
  for (let n = 0; n < CALLS; n += 1) {
    const command = COMMANDS[n % COMMANDS.length] as string;
    const started = performance.now();
    const reading = shell.read(command);
    verdicts.add(
      judge(rules, { command, reading, project: 'shop', at, gate: 'strict', now: 0 }).verdict,
    );
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  return { p99: times[Math.floor(CALLS * 0.99)] ?? Number.NaN, verdicts };
}

/** Rules of every form, none of which matches. */
function ruleNumber(n: number): Rule {
  const forms = [
    { program: `tool-${n}` },
    { command: `deploy-${n} *--force*` },
    { command: `re:^release-${n} (now|later)( --to \\w+)?$` },
    { program: 're:^(ba|z)sh$', flags: [`--x${n}*`] },
    { path: `/cell/secret-${n}/*` },
  ];
  return {
    id: (n + 1) as Rule['id'],
    scope: n % 3 === 0 ? 'shop' : null,
    verdict: n % 2 === 0 ? 'deny' : 'accept',
    match: forms[n % forms.length] ?? {},
    expires: null,
    note: '',
    setAt: 0,
    setBy: 'bench',
  };
}
