import type { CommandSpec } from './command.ts';
import { completionFor, SHELLS } from './completion-script.ts';

/** The commands are a parameter because this is one of them. */
export function completionCommand(commands: () => readonly CommandSpec[]): CommandSpec {
  return {
    path: 'completion',
    summary: 'print a completion script for your shell',
    uses: 'nothing',
    arguments: [{ usage: '<shell>', about: SHELLS.join(', ') }],
    examples: [
      'source <(guildhall completion bash)',
      'guildhall completion zsh > ~/.zfunc/_guildhall',
      'guildhall completion fish > ~/.config/fish/completions/guildhall.fish',
    ],
    run: async ({ out }, input) => {
      const shell = input.argument(0);
      const script = completionFor(shell, commands());
      out.answer({ shell, script }, () => script.trimEnd());
    },
  };
}
