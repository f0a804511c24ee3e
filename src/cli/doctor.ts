import { visible, visibleLines } from '../api/escape-control-characters.ts';
import { ConfigRefused } from '../config/mistake.ts';
import type { Cli, CommandSpec } from './command.ts';
import { DOCTOR_CHECKS } from './doctor-checks.ts';
import type { Finding } from './doctor-finding.ts';
import { EXIT_CODES } from './exit.ts';

export const DOCTOR: CommandSpec = {
  summary: 'check that this machine has everything a hall needs, and suggest fixes',
  examples: ['guildhall doctor', 'guildhall doctor --json'],
  run: async (cli) => {
    const examined = await examine(cli);
    cli.out.answer(examined, ({ findings }) => findingsText(findings, cli));
    return examined.ok ? EXIT_CODES.ok : EXIT_CODES.failed;
  },
};

interface Examined {
  readonly ok: boolean;
  readonly findings: readonly Finding[];
}

/** Runs every check on the machine and the configuration of a command. */
export async function examine(cli: Cli): Promise<Examined> {
  const findings: Finding[] = [];
  for (const [name, check] of Object.entries(DOCTOR_CHECKS)) {
    findings.push({ name, ...(await runCheck(check, cli)) });
  }
  return { ok: findings.every(({ health }) => health !== 'bad'), findings };
}

export function findingsText(findings: readonly Finding[], cli: Cli): string {
  return findings.map((finding) => findingText(finding, cli)).join('\n');
}

/** A check that throws is a finding too. */
async function runCheck(
  check: (cli: Cli) => Promise<Omit<Finding, 'name'>>,
  cli: Cli,
): Promise<Omit<Finding, 'name'>> {
  try {
    return await check(cli);
  } catch (error) {
    const isKnown = error instanceof ConfigRefused && check !== DOCTOR_CHECKS['config'];
    if (isKnown)
      return { health: 'skipped', says: 'needs a configuration without mistakes', fix: null };
    return { health: 'bad', says: messageOf(error), fix: null };
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
    skipped: colours.dim('skip'),
  };
  const lines = [
    ...visibleLines(localized(says)).split('\n'),
    ...(fix === null ? [] : [`fix: ${visible(localized(fix))}`]),
  ];
  const [first = '', ...more] = lines;
  const below = more.map((line) => `${' '.repeat(18)}${colours.dim(line)}`);
  return [`${marks[health]}  ${name.padEnd(10)}  ${first}`, ...below].join('\n');
}
