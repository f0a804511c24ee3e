import { visible, visibleLines } from '../api/escape-control-characters.ts';
import { ConfigRefused } from '../config/mistake.ts';
import type { Cli, CommandSpec } from './command.ts';
import { DOCTOR_CHECKS, type Finding } from './doctor-checks.ts';
import { EXIT_CODES } from './exit.ts';

export const DOCTOR: CommandSpec = {
  path: 'doctor',
  summary: 'check that this machine has everything a hall needs, and suggest fixes',
  uses: 'folder',
  examples: ['guildhall doctor', 'guildhall doctor --json'],
  run: async (cli) => {
    const findings: Finding[] = [];
    for (const [name, check] of Object.entries(DOCTOR_CHECKS)) {
      findings.push({ name, ...(await runCheck(check, cli)) });
    }
    const isWell = findings.every(({ health }) => health !== 'bad');
    cli.out.answer({ ok: isWell, findings }, () =>
      findings.map((finding) => findingText(finding, cli)).join('\n'),
    );
    return isWell ? EXIT_CODES.ok : EXIT_CODES.failed;
  },
};

/** A check that throws is a finding too. */
async function runCheck(
  check: (cli: Cli) => Promise<Omit<Finding, 'name'>>,
  cli: Cli,
): Promise<Omit<Finding, 'name'>> {
  try {
    return await check(cli);
  } catch (error) {
    const isKnown = error instanceof ConfigRefused && check !== DOCTOR_CHECKS['config'];
    const says = isKnown ? 'not checked: the configuration has mistakes' : messageOf(error);
    return { health: 'bad', says, fix: null };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function findingText(
  { name, health, says, fix }: Finding,
  { out: { colours }, localized }: Cli,
): string {
  const marks = {
    good: colours.green('ok  '),
    odd: colours.yellow('warn'),
    bad: colours.red('fail'),
  };
  const lines = [
    ...visibleLines(localized(says)).split('\n'),
    ...(fix === null ? [] : [`fix: ${visible(localized(fix))}`]),
  ];
  const [first = '', ...more] = lines;
  const below = more.map((line) => `${' '.repeat(18)}${colours.dim(line)}`);
  return [`${marks[health]}  ${name.padEnd(10)}  ${first}`, ...below].join('\n');
}
