import type { Client } from '../api/client.ts';
import { visible } from '../api/escape-control-characters.ts';
import type { OperationResult } from '../api/operation.ts';
import type { EventRecord } from '../api/overview.ts';
import type { CommandSpec } from './command.ts';
import { formatTime } from './format-time.ts';
import { reportPartialList } from './pages.ts';
import { type ParsedInput, parseInput } from './parsed-input.ts';

export const EVENTS: CommandSpec = {
  summary: 'show past events with time, actor and cause, and follow new ones',
  options: [
    { flags: '-f, --follow', about: 'print new events until interrupted' },
    { flags: '--after <seq>', about: 'only events after this one' },
    { flags: '-p, --project <project>', about: 'only this project' },
    { flags: '--task <task>', about: 'only this task' },
    { flags: '--type <type>', about: 'only this type, such as TaskPosted', many: true },
    { flags: '-n, --limit <count>', about: 'number of past events to show (default: 20)' },
  ],
  examples: [
    'guildhall events --follow',
    'guildhall events --task t-12',
    'guildhall events --type RunEnded --limit 100 --json',
  ],
  run: async ({ client, out }, input) => {
    const hall = client();
    const after = input.number('after');
    const { events, next } = await past(hall, input);
    for (const event of events) out.next(event, line);
    const last = events.at(-1)?.seq ?? after;
    if (!input.flag('follow')) {
      const hint =
        after === undefined ? 'use --limit, up to 1000' : `continue with --after ${last}`;
      reportPartialList({ rows: events, next }, out, hint);
      return;
    }
    const types = input.list('type');
    const filter = parseInput({
      project: input.text('project'),
      task: input.text('task'),
      after: last,
    });
    for await (const event of hall.events(filter)) {
      if (!types || types.includes(event.type)) out.next(event, line);
    }
  },
};

/** The newest events, or those after a given one; oldest first either way. */
async function past(hall: Client, input: ParsedInput): Promise<OperationResult<'listEvents'>> {
  const after = input.number('after');
  const query = parseInput({
    after,
    order: after === undefined ? ('newest' as const) : ('oldest' as const),
    project: input.text('project'),
    task: input.text('task'),
    type: input.list('type')?.join(','),
    limit: input.number('limit') ?? 20,
  });
  const { events, next } = await hall.call('listEvents', { query });
  return { events: after === undefined ? events.toReversed() : events, next };
}

function line({ seq, at, type, actor, facts }: EventRecord): string {
  return `${String(seq).padStart(6)}  ${formatTime(at)}  ${type.padEnd(16)}  ${visible(actor)}  ${visible(JSON.stringify(facts))}`;
}
