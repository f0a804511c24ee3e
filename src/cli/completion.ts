import type { Cli, CommandSpec, LoadedCommand } from './command.ts';
import {
  completionFor,
  isWordKind,
  SHELLS,
  WORD_KINDS,
  type WordKind,
} from './completion-script.ts';
import { InvalidUsage } from './invalid-usage.ts';

/** The commands are a parameter because this is one of them. */
export function completionCommand(commands: () => Promise<readonly LoadedCommand[]>): CommandSpec {
  return {
    summary: 'print a completion script for your shell',
    arguments: [{ usage: '[shell]', about: SHELLS.join(', ') }],
    options: [
      {
        flags: '--words <kind>',
        about: 'print the names of the hall that the script completes, one per line',
        choices: WORD_KINDS,
      },
    ],
    examples: [
      'source <(guildhall completion bash)',
      'guildhall completion zsh > ~/.zfunc/_guildhall',
      'guildhall completion fish > ~/.config/fish/completions/guildhall.fish',
    ],
    run: async (cli, input) => {
      const kind = input.text('words');
      if (isWordKind(kind)) {
        const words = await wordsOf(cli, kind);
        cli.out.answer({ words }, () => words.join('\n'));
        return;
      }
      const shell = input.maybe(0);
      if (shell === undefined) throw new InvalidUsage(`name a shell: ${SHELLS.join(', ')}`);
      const script = completionFor(shell, await commands());
      cli.out.answer({ shell, script }, () => script.trimEnd());
    },
  };
}

/** The newest, of which a person would complete one. */
const NEWEST = { limit: 100 } as const;

async function wordsOf({ client }: Cli, kind: WordKind): Promise<readonly string[]> {
  switch (kind) {
    case 'project':
      return (await client().call('listProjects')).projects.map(({ name }) => name);
    case 'task':
      return (await client().call('listTasks', { query: NEWEST })).tasks.map(({ id }) => id);
    case 'thread':
      return (await client().call('listThreads', { query: NEWEST })).threads.map(({ id }) => id);
  }
}
