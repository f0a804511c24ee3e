import type { Cli } from './command.ts';

interface Started {
  readonly url: string;
  readonly hasProjects: boolean;
  /** Why agents cannot start, one sentence for each reason. */
  readonly cannotStart: readonly string[];
}

/** Tells a newcomer that the hall runs, where, and what to type next. */
export function startBanner(
  {
    out: { colours },
    command,
  }: Pick<Cli, 'command'> & { readonly out: Pick<Cli['out'], 'colours'> },
  { url, hasProjects, cannotStart }: Started,
): string {
  const next = hasProjects ? [] : [command('project add', 'NAME')];
  const [first = '', ...then] = [...next, command('task add', '"…"')].map(colours.cyan);
  return [
    '',
    `  ${colours.bold('The hall is running.')}`,
    `  API        ${colours.cyan(`${url}/v1`)}   documented at ${url}/openapi.json`,
    `  next       ${first}   in another terminal, in this folder`,
    ...then.map((command) => `  then       ${command}`),
    `  watch      ${colours.cyan(command('board'))}`,
    `  stop       Ctrl-C, or ${command('stop')}`,
    ...cannotStart.map((lack) => `  ${colours.red('agents')}     ${lack}`),
    '',
  ].join('\n');
}
