import type { Cli } from './command.ts';

/** What a newcomer wants to know: it runs, where, and what to type next. */
export function startBanner(
  { out: { colours }, self }: Pick<Cli, 'self'> & { readonly out: Pick<Cli['out'], 'colours'> },
  { url, hasProjects }: { readonly url: string; readonly hasProjects: boolean },
): string {
  const next = hasProjects ? [] : [`${self} project add NAME`];
  const [first = '', ...then] = [...next, `${self} task add "…"`].map(colours.cyan);
  return [
    '',
    `  ${colours.bold('The hall is open.')}`,
    `  API        ${colours.cyan(`${url}/v1`)}   described at ${url}/openapi.json`,
    `  next       ${first}   in another terminal, in this folder`,
    ...then.map((command) => `  then       ${command}`),
    `  look       ${colours.cyan(`${self} board`)}`,
    '  stop       Ctrl-C',
    '',
  ].join('\n');
}
