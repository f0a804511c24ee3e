import type { CommandSpec } from './command.ts';
import { InvalidUsage } from './invalid-usage.ts';
import { commonOptions } from './program.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export function completionFor(shell: string, commands: readonly CommandSpec[]): string {
  if (shell === 'bash') return bash(commands);
  if (shell === 'zsh') return zsh(commands);
  if (shell === 'fish') return fish(commands);
  throw new InvalidUsage(`no completion for ${shell}; supported shells: ${SHELLS.join(', ')}`);
}

interface Words {
  /** The words that may follow: nouns after nothing, verbs after a noun, options after a command. */
  readonly after: ReadonlyMap<string, readonly string[]>;
}

function wordsOf(commands: readonly CommandSpec[]): Words {
  const after = new Map<string, string[]>();
  const add = (key: string, word: string) => {
    const words = after.get(key) ?? [];
    if (!words.includes(word)) words.push(word);
    after.set(key, words);
  };
  for (const spec of commands) {
    const [noun = '', verb] = spec.path.split(' ');
    add('', noun);
    if (verb !== undefined) add(noun, verb);
    for (const option of optionsOf(spec)) add(spec.path, option);
  }
  return { after };
}

function optionsOf(spec: CommandSpec): readonly string[] {
  const own = [...(spec.options ?? []), ...commonOptions(spec)];
  return [...own.map(({ flags }) => /--[\w-]+/.exec(flags)?.[0] ?? flags), '--help'];
}

function bash(commands: readonly CommandSpec[]): string {
  const cases = [...wordsOf(commands).after].map(
    ([key, words]) => `    "${key}") echo "${words.join(' ')}" ;;`,
  );
  return `_guildhall_words() {
  case "$1" in
${cases.join('\n')}
  esac
}
_guildhall() {
  local word words typed=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] || typed+=("$word")
  done
  words="$(_guildhall_words "\${typed[*]:0:2}")"
  [[ -n $words ]] || words="$(_guildhall_words "\${typed[0]}")"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _guildhall guildhall
`;
}

function zsh(commands: readonly CommandSpec[]): string {
  const cases = [...wordsOf(commands).after].map(
    ([key, words]) => `    '${key}') compadd -- ${words.join(' ')} ;;`,
  );
  return `#compdef guildhall
_guildhall() {
  local -a typed
  typed=("\${(@)words[2,CURRENT-1]:#-*}")
  case "\${typed[1,2]}" in
${cases.join('\n')}
    *) _files ;;
  esac
}
compdef _guildhall guildhall
`;
}

function fish(commands: readonly CommandSpec[]): string {
  const nouns = new Map<string, string>();
  const lines: string[] = [];
  for (const spec of commands) {
    const [noun = '', verb] = spec.path.split(' ');
    if (!nouns.has(noun)) nouns.set(noun, verb === undefined ? spec.summary : '');
    const path = [noun, verb].filter((word) => word !== undefined);
    const typed = path.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
    if (verb !== undefined) {
      lines.push(
        `complete -c guildhall -n '__fish_seen_subcommand_from ${noun}' -a ${verb} -d '${quoted(spec.summary)}'`,
      );
    }
    for (const option of optionsOf(spec)) {
      lines.push(`complete -c guildhall -n '${typed}' -l ${option.slice(2)}`);
    }
  }
  const first = [...nouns].map(
    ([noun, summary]) =>
      `complete -c guildhall -n __fish_use_subcommand -f -a ${noun} -d '${quoted(summary)}'`,
  );
  return `${[...first, ...lines].join('\n')}\n`;
}

function quoted(text: string): string {
  return text.replaceAll("'", "\\'");
}
