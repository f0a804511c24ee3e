import { Argument, Command, Option, type OutputConfiguration } from 'commander';
import { ownVersion } from '../main/version.ts';
import type { CommandSpec, OptionSpec } from './command.ts';
import { widthOf } from './output.ts';
import type { ProcessContext } from './process-context.ts';

/** Called with the command that was typed, its arguments and its options. */
type Act = (
  spec: CommandSpec,
  args: readonly unknown[],
  options: Readonly<Record<string, unknown>>,
) => Promise<void>;

const COMMON: readonly OptionSpec[] = [
  { flags: '--json', about: 'answer in JSON (streams: one object a line)' },
  { flags: '--no-color', about: 'no colours; also NO_COLOR=1' },
];

const FOLDER: readonly OptionSpec[] = [
  {
    flags: '-c, --config <file>',
    about: 'the configuration; else $GUILDHALL_CONFIG, ./guildhall.yaml',
  },
  { flags: '--data <folder>', about: 'the data folder of the hall' },
];

const HALL: readonly OptionSpec[] = [
  {
    flags: '--url <url>',
    about: 'the hall to ask; else $GUILDHALL_URL, else the one of this folder',
  },
  { flags: '--token <token>', about: 'as whom; else $GUILDHALL_TOKEN, else data/token' },
];

export function commonOptions({ asks }: Pick<CommandSpec, 'asks'>): readonly OptionSpec[] {
  if (asks === 'nobody') return COMMON;
  return [...(asks === 'hall' ? HALL : []), ...FOLDER, ...COMMON];
}

/** What is said of a noun that has verbs. */
const GROUPS: Readonly<Record<string, string>> = {
  config: 'look at the configuration',
  project: 'what is worked on',
  task: 'the pieces of work',
  thread: 'issues with their pull requests',
  worker: 'the processes that work',
  agents: 'the members of the pool',
  invokers: 'who pays for runs',
  token: 'named keys to the API',
  approvals: 'commands of agents that wait for a person',
  rules: 'which commands agents may run',
  model: 'a stand-in for a model',
  audit: 'prove that the history was not changed',
};

const ROOT_HELP = `
Start here:
  $ guildhall init                                 write a commented guildhall.yaml
  $ guildhall start                                start the hall
  $ guildhall task add "Show prices with tax"      put work on the board
  $ guildhall board                                see what happens

Exit codes: 0 ok, 1 failed, 2 wrong use, 3 refused by a rule, 130 interrupted.`;

/** The grammar of the command line, made from the commands. */
export function createProgram(
  commands: readonly CommandSpec[],
  streams: Pick<ProcessContext, 'stdout' | 'stderr'>,
  act: Act,
): Command {
  const program = new Command('guildhall')
    .configureOutput(writingTo(streams))
    .description('A self-hosted hall where AI coding agents pick up work from a shared board')
    .version(ownVersion(), '-V, --version', 'the version of guildhall')
    .helpCommand(false)
    .exitOverride()
    .showSuggestionAfterError()
    .addHelpText('after', ROOT_HELP);
  const groups = new Map<string, Command>();
  for (const spec of commands) {
    const [noun = '', verb] = spec.path.split(' ');
    if (verb === undefined) addCommand(program, noun, spec, act);
    else addCommand(groupOf(program, groups, noun), verb, spec, act);
  }
  addHelp(program);
  return program;
}

/** Commander writes to `process` unless it is told otherwise. Its texts have no colours. */
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

/** Where it is not read on a terminal. */
const HELP_WIDTH = 80;

/** Commander's own knows nouns, but not their verbs. */
function addHelp(program: Command): void {
  program
    .command('help')
    .description('help for a command')
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

function addCommand(parent: Command, name: string, spec: CommandSpec, act: Act): void {
  const command = parent.command(name).description(spec.summary);
  for (const { usage, about } of spec.arguments ?? []) {
    command.addArgument(new Argument(usage, about));
  }
  for (const option of [...(spec.options ?? []), ...commonOptions(spec)]) {
    command.addOption(optionFrom(option));
  }
  command.addHelpText(
    'after',
    `\nExamples:\n${spec.examples.map((line) => `  $ ${line}`).join('\n')}`,
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
