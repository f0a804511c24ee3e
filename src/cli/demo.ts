import { join } from 'node:path';
import { visible } from '../api/escape-control-characters.ts';
import { machineVariablesIn } from '../config/machine-variables.ts';
import type { DemoEnd } from '../main/demo/demo-hall.ts';
import type { Line } from '../main/demo/narrate.ts';
import type { Cli, CommandSpec } from './command.ts';
import { EXIT_CODES } from './exit.ts';
import type { Output } from './output.ts';
import { plural } from './plural.ts';
import { shellQuote } from './shell-quote.ts';
import { stopSignal } from './stop-signal.ts';

export const DEMO: CommandSpec = {
  summary: 'watch agents work on a sample project for a minute; needs no account, key or network',
  options: [
    {
      flags: '--forge',
      about: 'from a labelled issue to a merged pull request, on an emulated GitHub',
    },
    { flags: '--keep', about: 'keep the folder of the demo' },
  ],
  examples: [
    'guildhall demo',
    'guildhall demo --forge',
    'guildhall demo --keep',
    'guildhall demo --json',
  ],
  run: async ({ out, environment, command, signals }, input) => {
    const isForge = input.flag('forge');
    const run = isForge
      ? (await import('../main/demo/forge-demo.ts')).runForgeDemo
      : (await import('../main/demo/demo.ts')).runDemo;
    // The demo cleans up before the command returns.
    const stop = stopSignal(signals);
    const keep = input.flag('keep');
    out.say(isForge ? FORGE_INTRODUCTION : INTRODUCTION);
    const began = performance.now();
    const say = (line: Line) => out.next(line, (shown) => lineText(shown, out));
    const end = await run({ ...machineVariablesIn(environment), keep, say, stop });
    if (stop.aborted) return EXIT_CODES.interrupted;
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    const { isolation, isolationRefused: isolation_refused, merged } = end;
    const facts = {
      isolation,
      isolation_refused,
      merged,
      seconds,
      folder: keep ? end.folder : null,
    };
    out.answer(facts, () => endText({ ...end, seconds, keep, isForge, command }, out));
    return EXIT_CODES.ok;
  },
};

const INTRODUCTION =
  'A tea shop, two tasks, three agents. The model plays a script; everything else is real.\n';

const FORGE_INTRODUCTION =
  'A tea shop on an emulated GitHub, one issue, one agent. The model and the result of CI are scripted; everything else is real.\n';

function lineText({ who, text, tone }: Line, { colours }: Output): string {
  const paint = { plain: (plain: string) => plain, good: colours.green, bad: colours.yellow }[tone];
  return `${colours.bold(who.padEnd(17))} ${paint(visible(text))}`;
}

interface Ended {
  readonly folder: string;
  readonly isolation: DemoEnd['isolation'];
  readonly isolationRefused: string | null;
  readonly merged: number;
  readonly seconds: number;
  readonly keep: boolean;
  readonly isForge: boolean;
  readonly command: Cli['command'];
}

const CELLS: Readonly<Record<DemoEnd['isolation'], string>> = {
  sandbox: 'a bubblewrap sandbox',
  container: 'a container',
  none: 'a folder',
};

function endText(end: Ended, { colours }: Output): string {
  const { folder, merged, seconds, keep, isForge, command, isolation, isolationRefused } = end;
  const isolationText =
    isolationRefused === null
      ? `Each agent worked in ${CELLS[isolation]}: no network, no key, no files but its own.`
      : colours.red(
          `The agents ran without isolation: ${isolationRefused}\nThe demo allows that because its model is scripted. In your own projects no run would start.`,
        );
  const config = `--config ${shellQuote(join(folder, 'guildhall.yaml'))}`;
  const next = keep
    ? [
        `The demo is kept in ${folder}`,
        ...(isForge
          ? []
          : [
              `  git -C ${folder}/tea-shop.git log --graph --oneline main`,
              `  GUILDHALL_DEMO_KEY=none ${command('start', config)}`,
              `  ${command('board', config)}   while that is running`,
            ]),
      ]
    : [`To keep the folder and explore it: ${command('demo', '--keep')}`];
  return [
    '',
    `${plural(merged, 'pull request')} merged in ${seconds} s.`,
    isolationText,
    '',
    ...next,
    isForge
      ? 'For your own forge: docs/guide/forges.md'
      : `For your own repository: ${command('init', '--repo PATH')}`,
  ].join('\n');
}
