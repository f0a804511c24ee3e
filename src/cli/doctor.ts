import { visible, visibleLines } from '../api/escape-control-characters.ts';
import { ConfigRefused } from '../config/mistake.ts';
import type { Cli, CommandSpec } from './command.ts';
import { DOCTOR_CHECKS, type Finding } from './doctor-checks.ts';
import { EXIT_CODES } from './exit.ts';
import type { Output } from './output.ts';

export const DOCTOR: CommandSpec = {
  path: 'doctor',
  summary: 'look whether everything a hall needs is there, and say what to do if not',
  asks: 'folder',
  examples: ['guildhall doctor', 'guildhall doctor --json'],
  run: async (cli) => {
    const findings: Finding[] = [];
    for (const [name, look] of Object.entries(DOCTOR_CHECKS)) {
      findings.push({ name, ...(await guarded(look, cli)) });
    }
    const isWell = findings.every(({ health }) => health !== 'bad');
    cli.out.answer({ ok: isWell, findings }, () =>
      findings.map((finding) => findingText(finding, cli.out)).join('\n'),
    );
    return isWell ? EXIT_CODES.ok : EXIT_CODES.failed;
  },
};

/** What cannot even be looked at is a finding too. */
async function guarded(
  look: (cli: Cli) => Promise<Omit<Finding, 'name'>>,
  cli: Cli,
): Promise<Omit<Finding, 'name'>> {
  try {
    return await look(cli);
  } catch (error) {
    const isTold = error instanceof ConfigRefused && look !== DOCTOR_CHECKS['config'];
    const says = isTold ? 'not looked at: the configuration has mistakes' : wordsOf(error);
    return { health: 'bad', says, fix: null };
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function findingText({ name, health, says, fix }: Finding, { colours }: Output): string {
  const marks = {
    good: colours.green('ok  '),
    odd: colours.yellow('warn'),
    bad: colours.red('fail'),
  };
  const lines = [
    ...visibleLines(says).split('\n'),
    ...(fix === null ? [] : [`fix: ${visible(fix)}`]),
  ];
  const [first = '', ...more] = lines;
  const below = more.map((line) => `${' '.repeat(18)}${colours.dim(line)}`);
  return [`${marks[health]}  ${name.padEnd(10)}  ${first}`, ...below].join('\n');
}
