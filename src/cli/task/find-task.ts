import { visible } from '../../api/escape-control-characters.ts';
import type { Cli } from '../command.ts';
import { shellQuote } from '../shell-quote.ts';
import { indexLag } from './index-lag.ts';

/** No task has the branch or the link. */
class TaskNotFound extends Error {
  override readonly name = 'TaskNotFound';
}

/** The id of the task that was typed as its id, its branch, or the URL of its issue or pull request. */
export async function findTask(cli: Cli, typed: string): Promise<string> {
  const { client, out, command } = cli;
  if (LOOKS_LIKE_ID.test(typed)) return typed;
  const [option, filter] = LOOKS_LIKE_LINK.test(typed)
    ? ['--link', { link: typed }]
    : ['--branch', { branch: typed }];
  const { tasks, search } = await client().call('listTasks', { query: { ...filter, limit: 2 } });
  const [newest, another] = tasks;
  if (!newest) {
    const lag = indexLag(search);
    const shown = `no task has the ${option.slice(2)} ${visible(typed)}`;
    const words = command('task list', shellQuote(typed));
    throw new TaskNotFound(
      `${shown}${lag === null ? '' : ` (${lag})`}; to search for its words: ${words}`,
    );
  }
  if (another && !out.json) {
    const all = command('task list', option, shellQuote(typed));
    out.say(out.colours.dim(`the newest of several tasks; all of them: ${all}`));
  }
  return newest.id;
}

/** Also ids of other things, about which the hall says what is wrong. */
const LOOKS_LIKE_ID = /^([a-z]{1,2}-)?\d+$/i;

/** `local:` is the address of a pull request that the hall itself keeps. */
const LOOKS_LIKE_LINK = /^([a-z][a-z+.-]*:\/\/|local:)/i;
