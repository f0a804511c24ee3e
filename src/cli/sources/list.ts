import { visible } from '../../api/escape-control-characters.ts';
import type { OperationResult } from '../../api/operation.ts';
import type { CommandSpec } from '../command.ts';
import { formatTime } from '../format-time.ts';
import type { Output } from '../output.ts';

export type Source = OperationResult<'listSources'>['sources'][number];

export const SOURCES_LIST: CommandSpec = {
  summary: 'list the task sources, how far their items are, and what was not posted',
  examples: ['guildhall sources list', 'guildhall sources list --json'],
  run: async ({ client, out, command }) => {
    out.answer(await client().call('listSources'), ({ sources }) =>
      sources.length === 0
        ? `no task sources; add one to a project with: ${command('project edit', 'NAME', '--source', 'spiral-grove')}`
        : sources.map((source) => sourceText(source, out)).join('\n'),
    );
  },
};

/** A line for the source, then its files, then what it could not post. */
export function sourceText(source: Source, { colours }: Output): string {
  const { id, kind, status, says, progress, read_at, files, refused, not_posted } = source;
  const read = read_at === null ? 'not read yet' : `read ${formatTime(read_at)}`;
  const state = status === 'up' ? status : colours.yellow(status.replaceAll('_', ' '));
  return [
    `${id}  ${state}  ${kind === 'api' ? '' : `${progress}  (${read})`}`.trimEnd(),
    ...(says === null ? [] : [`  ${colours.yellow(visible(says))}`]),
    ...files.map((file) => `  ${visible(file.path)}: ${visible(file.not_posted ?? file.progress)}`),
    ...refused.map(({ file, line, because }) => {
      return `  ${colours.red('refused')} ${visible(file)}:${line}: ${visible(because)}`;
    }),
    ...not_posted.map(({ item, title, because }) => {
      return `  ${colours.yellow('not posted')} ${visible(item)} ${visible(title)}: ${visible(because)}`;
    }),
  ].join('\n');
}
