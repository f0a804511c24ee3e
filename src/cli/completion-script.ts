import { TASK_STATES } from '../domain/task.ts';
import type { LoadedCommand, OptionSpec } from './command.ts';
import { InvalidUsage } from './invalid-usage.ts';
import { commonOptions } from './program.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** What only the running hall knows; the script asks for it while a command is typed. */
export const WORD_KINDS = ['project', 'task', 'thread'] as const;
export type WordKind = (typeof WORD_KINDS)[number];

export function isWordKind(word: string | undefined): word is WordKind {
  return WORD_KINDS.some((kind) => kind === word);
}

export function completionFor(shell: string, commands: readonly LoadedCommand[]): string {
  if (shell === 'bash') return bash(commands);
  if (shell === 'zsh') return zsh(commands);
  if (shell === 'fish') return fish(commands);
  throw new InvalidUsage(`no completion for ${shell}; supported shells: ${SHELLS.join(', ')}`);
}

/** The words that may follow: nouns after nothing, verbs after a noun, options after a command. */
function wordsAfter(commands: readonly LoadedCommand[]): ReadonlyMap<string, readonly string[]> {
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
  return after;
}

function optionsOf(spec: LoadedCommand): readonly string[] {
  return [...allOptions(spec).map(({ flags }) => longFlag(flags)), '--help'];
}

function allOptions(spec: LoadedCommand): readonly OptionSpec[] {
  return [...(spec.options ?? []), ...commonOptions(spec)];
}

function longFlag(flags: string): string {
  return /--[\w-]+/.exec(flags)?.[0] ?? flags;
}

/** What `<task>` in the usage of an argument or option stands for. */
function valueKind(usage: string): WordKind | 'state' | undefined {
  const name = /[<[](\w+?)s?(?:\.{3})?[>\]]/.exec(usage)?.[1];
  return name === 'state' || isWordKind(name) ? name : undefined;
}

interface Value {
  /** `task list`. */
  readonly path: string;
  /** `--project` and `-p`; none for an argument. */
  readonly flags: readonly string[];
  readonly kind: WordKind | 'state';
}

/** The arguments and options whose values can be completed. */
function valuesOf(spec: LoadedCommand): readonly Value[] {
  const [argument] = spec.arguments ?? [];
  const places = [
    ...(argument ? [{ usage: argument.usage, flags: [] }] : []),
    ...allOptions(spec).map(({ flags }) => ({
      usage: flags,
      flags: flags.match(/--?[\w-]+/g) ?? [],
    })),
  ];
  return places.flatMap(({ usage, flags }) => {
    const kind = valueKind(usage);
    // The name of a new project is not one of those that exist.
    if (kind === undefined || (spec.path === 'project add' && flags.length === 0)) return [];
    return [{ path: spec.path, flags, kind }];
  });
}

/** `task list --project` → project, `task show` → task, as cases of a shell. */
function kindCases(commands: readonly LoadedCommand[], quote: string): string {
  const keys = commands.flatMap(valuesOf).flatMap(({ path, flags, kind }) => {
    const places = flags.length === 0 ? [path] : flags.map((flag) => `${path} ${flag}`);
    return places.map((place) => `    ${quote}${place}${quote}) echo ${kind} ;;`);
  });
  return keys.join('\n');
}

/** Shared by bash and zsh. The options that select a hall are passed on; the line is split at spaces. */
function valueFunctions(commands: readonly LoadedCommand[]): string {
  return `_guildhall_kind() {
  case "$1" in
${kindCases(commands, '"')}
  esac
}
_guildhall_values() {
  local kind="$1" line="$2" flags="" word before=""
  if [ "$kind" = state ]; then echo "${TASK_STATES.join(' ')}"; return; fi
  set -- $(echo "$line")
  for word in "$@"; do
    case "$before" in --config|-c|--data|--url) flags="$flags $before $word" ;; esac
    before="$word"
  done
  command guildhall completion --words "$kind" $(echo "$flags") 2>/dev/null
}
`;
}

function bash(commands: readonly LoadedCommand[]): string {
  const cases = [...wordsAfter(commands)].map(
    ([key, words]) => `    "${key}") echo "${words.join(' ')}" ;;`,
  );
  return `${valueFunctions(commands)}_guildhall_words() {
  case "$1" in
${cases.join('\n')}
  esac
}
_guildhall() {
  local word words kind path typed=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] || typed+=("$word")
  done
  path="\${typed[*]:0:2}"
  kind="$(_guildhall_kind "$path \${COMP_WORDS[COMP_CWORD-1]}")"
  if [[ -z $kind && \${COMP_WORDS[COMP_CWORD]} != -* ]]; then kind="$(_guildhall_kind "$path")"; fi
  if [[ -n $kind ]]; then
    words="$(_guildhall_values "$kind" "$COMP_LINE")"
  else
    words="$(_guildhall_words "$path")"
    [[ -n $words ]] || words="$(_guildhall_words "\${typed[0]}")"
  fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _guildhall guildhall
`;
}

function zsh(commands: readonly LoadedCommand[]): string {
  const cases = [...wordsAfter(commands)].map(
    ([key, words]) => `    '${key}') compadd -- ${words.join(' ')} ;;`,
  );
  return `#compdef guildhall
${valueFunctions(commands)}_guildhall() {
  local -a typed
  local kind
  typed=("\${(@)words[2,CURRENT-1]:#-*}")
  kind="$(_guildhall_kind "\${typed[1,2]} \${words[CURRENT-1]}")"
  if [[ -z $kind && \${words[CURRENT]} != -* ]]; then kind="$(_guildhall_kind "\${typed[1,2]}")"; fi
  if [[ -n $kind ]]; then
    compadd -- $(_guildhall_values "$kind" "\${words[*]}")
    return
  fi
  case "\${typed[1,2]}" in
${cases.join('\n')}
    *) _files ;;
  esac
}
compdef _guildhall guildhall
`;
}

function fish(commands: readonly LoadedCommand[]): string {
  const nouns = new Map<string, string>();
  const lines: string[] = [];
  for (const spec of commands) {
    const [noun = '', verb] = spec.path.split(' ');
    if (!nouns.has(noun)) nouns.set(noun, verb === undefined ? spec.summary : '');
    if (verb !== undefined) {
      lines.push(
        `complete -c guildhall -n '__fish_seen_subcommand_from ${noun}' -a ${verb} -d '${quoted(spec.summary)}'`,
      );
    }
    const typed = typedInFish(spec.path);
    for (const option of optionsOf(spec)) lines.push(`${typed} -l ${option.slice(2)}`);
    for (const { flags, kind } of valuesOf(spec)) {
      const long = flags.find((flag) => flag.startsWith('--'));
      lines.push(`${typed} ${long ? `-l ${long.slice(2)} ` : ''}-x -a '${wordsInFish(kind)}'`);
    }
  }
  const first = [...nouns].map(
    ([noun, summary]) =>
      `complete -c guildhall -n __fish_use_subcommand -f -a ${noun} -d '${quoted(summary)}'`,
  );
  return `${[...first, ...lines].join('\n')}\n`;
}

function typedInFish(path: string): string {
  const seen = path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
  return `complete -c guildhall -n '${seen.join('; and ')}'`;
}

function wordsInFish(kind: Value['kind']): string {
  if (kind === 'state') return TASK_STATES.join(' ');
  return `(command guildhall completion --words ${kind} 2>/dev/null)`;
}

function quoted(text: string): string {
  return text.replaceAll("'", "\\'");
}
