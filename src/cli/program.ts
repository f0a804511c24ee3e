import { Argument, Command, Option, type OutputConfiguration } from 'commander';
import { ownVersion } from '../main/version.ts';
import type { CommandEntry, LoadedCommand, OptionSpec } from './command.ts';
import { InvalidUsage } from './invalid-usage.ts';
import { widthOf } from './output.ts';
import type { PrintedCommands } from './printed-commands.ts';
import type { ProcessContext } from './process-context.ts';

/** Called with the command that was typed, its arguments and its options. */
type Act = (
  spec: LoadedCommand,
  args: readonly unknown[],
  options: Readonly<Record<string, unknown>>,
) => Promise<void>;

const COMMON: readonly OptionSpec[] = [
  { flags: '--json', about: 'print JSON (streams: one object per line)' },
  { flags: '--no-color', about: 'disable colours; also NO_COLOR=1' },
];

const FOLDER: readonly OptionSpec[] = [
  {
    flags: '-c, --config <file>',
    about: 'configuration file (default: $GUILDHALL_CONFIG, then ./guildhall.yaml)',
  },
  { flags: '--data <folder>', about: 'data folder of the hall' },
];

const HALL: readonly OptionSpec[] = [
  {
    flags: '--url <url>',
    about: 'URL of the hall (default: $GUILDHALL_URL, then the hall of this folder)',
  },
  { flags: '--token <token>', about: 'API token (default: $GUILDHALL_TOKEN, then data/token)' },
];

export function commonOptions({ uses }: Pick<CommandEntry, 'uses'>): readonly OptionSpec[] {
  if (uses === 'nothing') return COMMON;
  return [...(uses === 'hall' ? HALL : []), ...FOLDER, ...COMMON];
}

/** Descriptions of the nouns that have verbs. */
const GROUPS: Readonly<Record<string, string>> = {
  config: 'check and show the configuration',
  project: 'manage projects',
  task: 'post, inspect and control tasks',
  thread: 'show, review and merge threads (issues with their pull requests)',
  worker: 'run, list and drain workers',
  agents: 'list, pause and resume agents',
  invokers: 'list, pause and resume invokers, who pay for runs',
  token: 'manage API tokens',
  forge: 'connect GitHub, Gitea and Forgejo',
  secrets: 'store and rotate secrets, encrypted',
  sources: 'read task sources, and see how far they are',
  approvals: 'approve or deny agent commands',
  rules: 'manage rules for agent commands',
  model: 'run a scripted model',
  audit: 'verify the event log',
};

const ROOT_HELP = `
Start here:
  $ guildhall init                                 write a commented guildhall.yaml
  $ guildhall start                                start the hall
  $ guildhall task add "Show prices with tax"      put work on the board
  $ guildhall board                                show the board

Exit codes: 0 ok, 1 failed or not found, 2 invalid usage, 3 refused by a rule, 130 interrupted.`;

interface Surroundings extends Pick<PrintedCommands, 'localized'> {
  readonly commands: readonly LoadedCommand[];
  readonly streams: Pick<ProcessContext, 'stdout' | 'stderr'>;
}

/** Builds the command-line parser from the commands that are loaded; of the others it knows the nouns. */
export function createProgram(
  entries: readonly CommandEntry[],
  { commands, streams, localized }: Surroundings,
  act: Act,
): Command {
  const program = new Command('guildhall')
    .configureOutput(writingTo(streams))
    .description('A self-hosted hall where AI coding agents pick up work from a shared board')
    .version(ownVersion(), '-V, --version', 'print the version')
    .helpCommand(false)
    .exitOverride()
    .showSuggestionAfterError()
    .addHelpText('after', localized(ROOT_HELP));
  const groups = new Map<string, Command>();
  for (const { path } of entries) {
    const [noun = '', verb] = path.split(' ');
    const parent = verb === undefined ? program : groupOf(program, groups, noun);
    const command = commands.find((each) => each.path === path);
    if (command) addCommand(parent, command, localized, act);
  }
  addHelp(program);
  return program;
}

/** Commander writes to `process` by default. Its texts have no colours. */
function writingTo({
  stdout,
  stderr,
}: Pick<ProcessContext, 'stdout' | 'stderr'>): OutputConfiguration {
  return {
    writeOut: (text) => void stdout.write(text),
    writeErr: (text) => void stderr.write(text),
    getOutHelpWidth: () => widthOf(stdout) ?? HELP_WIDTH,
    getErrHelpWidth: () => widthOf(stderr) ?? HELP_WIDTH,
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  };
}

/** The width when the output is not a terminal. */
const HELP_WIDTH = 80;

/** Commander's own help command knows nouns, but not their verbs. */
function addHelp(program: Command): void {
  program
    .command('help')
    .description('show help for a command')
    .addArgument(new Argument('[command...]', 'such as task add'))
    .action((words: readonly string[]) => {
      let found = program;
      for (const word of words) {
        const below = found.commands.find((command) => command.name() === word);
        if (!below) program.error(`error: there is no command '${words.join(' ')}'`);
        found = below;
      }
      found.help();
    });
}

/** Commander would complain about an option that the missing verb has. */
export function refuseMissingVerb(
  commands: readonly CommandEntry[],
  [noun = '', next = '']: readonly string[],
): void {
  const verbs = commands.flatMap(({ path }) =>
    path.startsWith(`${noun} `) ? [path.slice(noun.length + 1)] : [],
  );
  const isHelp = next === '--help' || next === '-h';
  if (verbs.length === 0 || !next.startsWith('-') || isHelp) return;
  throw new InvalidUsage(`${noun} needs a command before ${next}: ${verbs.join(', ')}`);
}

function groupOf(program: Command, groups: Map<string, Command>, noun: string): Command {
  const known = groups.get(noun);
  if (known) return known;
  const group = program
    .command(noun)
    .description(GROUPS[noun] ?? '')
    .helpCommand(false);
  groups.set(noun, group);
  return group;
}

function addCommand(
  parent: Command,
  spec: LoadedCommand,
  localized: PrintedCommands['localized'],
  act: Act,
): void {
  const name = spec.path.split(' ').at(-1) ?? spec.path;
  const command = parent.command(name).description(spec.summary);
  for (const { usage, about } of spec.arguments ?? []) {
    command.addArgument(new Argument(usage, about));
  }
  for (const option of [...(spec.options ?? []), ...commonOptions(spec)]) {
    command.addOption(optionFrom(option));
  }
  command.addHelpText(
    'after',
    `\nExamples:\n${spec.examples.map((line) => `  $ ${localized(line)}`).join('\n')}`,
  );
  command.action(async (...parts: unknown[]) => {
    const args = parts.slice(0, (spec.arguments ?? []).length);
    await act(spec, args, command.opts());
  });
}

function optionFrom({ flags, about, choices, many }: OptionSpec): Option {
  const option = new Option(flags, about);
  if (choices) option.choices([...choices]);
  if (many) {
    option.argParser((value: string, before: readonly string[] | undefined) => [
      ...(before ?? []),
      value,
    ]);
  }
  return option;
}
