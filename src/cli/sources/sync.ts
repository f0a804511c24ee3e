import type { CommandSpec } from '../command.ts';
import { EXIT_CODES } from '../exit.ts';
import { type Source, sourceText } from './list.ts';

export const SOURCES_SYNC: CommandSpec = {
  summary: 'read task sources now, and post, change and cancel tasks accordingly',
  arguments: [{ usage: '[source]', about: 'id of the source (default: all of them)' }],
  examples: ['guildhall sources sync', 'guildhall sources sync shop-spiral-grove --json'],
  run: async ({ client, out }, input) => {
    const asked = input.maybe(0);
    const { sources: all } = await client().call('listSources');
    const ids = asked === undefined ? all.map(({ id }) => id) : [asked];
    const sources: Source[] = [];
    for (const id of ids) sources.push(await client().call('syncSource', { path: { id } }));
    out.answer({ sources }, () => sources.map((source) => sourceText(source, out)).join('\n'));
    return sources.some(({ status }) => status === 'degraded') ? EXIT_CODES.failed : EXIT_CODES.ok;
  },
};
