import { type Arg, literalArg } from '../../domain/parsed-command.ts';
import type { Table } from '../../domain/tool-policy/option-table.ts';
import { type ReadCall, readOptions } from '../../domain/tool-policy/read-options.ts';
import { tableOf } from '../../domain/tool-policy/tables/programs.ts';

/** The command that a wrapper program would run. */
export type InnerCommand =
  | { readonly argv: readonly Arg[]; readonly env?: readonly Arg[] }
  | { readonly shell: Arg }
  /** It is unknown. */
  | { readonly doubt: string };

interface Wrapper {
  /** Its options before the program that it runs; those of the tool gate if it has none of its own. */
  readonly options?: string;
  /** Options whose value is shell text. */
  readonly text?: string;
  /** That text is only split into words, by its own rules, and more words may follow it. */
  readonly splits?: true;
  /** The number of operands before the program. */
  readonly operandsBefore?: number;
  /** Words such as NAME=value may precede the program. */
  readonly assigns?: true;
  /** The remaining words are joined and passed to a shell. */
  readonly joins?: true;
  /** Verbs such as `run`, one of which must come first; otherwise it runs nothing. */
  readonly verbs?: readonly string[];
  /** Options may follow the program; only what follows `--` is passed to it. */
  readonly permutes?: true;
  /** With one of these as its first word it runs nothing. */
  readonly idle?: readonly string[];
  /** Every operand is shell text, except names of scripts such as `npm:test`. */
  readonly isText?: true;
  /** It runs its operands as words of this program. */
  readonly program?: string;
}

function each(names: string, wrapper: Wrapper): Readonly<Record<string, Wrapper>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, wrapper]));
}

/** Programs that run what their own arguments name, from their manuals. */
const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: {
    options: '-i - --ignore-environment -0 --null -v --debug -u= --unset=',
    text: '-S= --split-string=',
    splits: true,
    assigns: true,
  },
  sudo: { options: '-n -E -H -i -s -S -u= -g=', assigns: true },
  doas: { options: '-n -u=' },
  timeout: {
    options: '--foreground --preserve-status -v --verbose -k= --kill-after= -s= --signal=',
    operandsBefore: 1,
  },
  gtimeout: { options: '-k= -s=', operandsBefore: 1 },
  nice: { options: '-n= --adjustment= -%' },
  ionice: { options: '-t -c= -n=' },
  time: { options: '-p -v -f=' },
  command: { options: '-p', idle: ['-v', '-V'] },
  exec: { options: '-c -l -a=' },
  stdbuf: { options: '-i= -o= -e= --input= --output= --error=' },
  setsid: { options: '-w -f -c --wait --fork' },
  chrt: { options: '-b -i -o', operandsBefore: 1 },
  taskset: { options: '-c --cpu-list -a --all-tasks', operandsBefore: 1 },
  unbuffer: { options: '-p' },
  flock: { options: '-n -s -x -e -w=', text: '-c=', operandsBefore: 1 },
  watch: { options: '-d -t -b -e -g -c -n= --interval=', joins: true },
  'xvfb-run': { options: '-a --auto-servernum -s= --server-args= -n=' },
  'cross-env': { options: '', assigns: true },
  'cross-env-shell': { options: '', assigns: true, joins: true },
  dotenv: { options: '-e= -c= -v=' },
  'env-cmd': { options: '-f= -e= -r= --silent --no-override' },
  npx: {
    options: '-y --yes --no-install --no -q --quiet --prefer-offline -p= --package=',
    text: '-c= --call=',
  },
  bunx: { options: '--bun' },
  npm: { verbs: ['exec', 'x'], text: '-c= --call=', permutes: true },
  bun: { verbs: ['x'] },
  ...each('poetry pipenv pdm rye hatch uv', { verbs: ['run'] }),
  ...each('bundle bundler composer', { verbs: ['exec'] }),
  ...each('pnpm yarn', { verbs: ['exec', 'dlx'] }),
  ...each('nyc c8', { idle: ['report', 'merge', 'instrument', 'check-coverage'] }),
  strace: { options: '-f -q -c -e= -o= -s=' },
  ...each('nohup builtin dbus-run-session pnpx catchsegv busybox toybox', { options: '' }),
  script: { options: '-q -e -f', text: '-c=' },
  concurrently: {
    options: `-n= --names= -c= --prefix-colors= -p= --prefix= -s= --success= -k --kill-others
      --kill-others-on-fail -r --raw -m= --max-processes= --restart-tries= -g --group --no-color`,
    text: '--teardown=',
    permutes: true,
    isText: true,
  },
  nodemon: {
    options: `-w= --watch= -e= --ext= -i= --ignore= -d= --delay= -V --verbose -L --legacy-watch -q
      --quiet --inspect? -s= --signal= --config=`,
    text: '-x= --exec=',
    permutes: true,
    program: 'node',
  },
};

/** The command it runs, or undefined when it is not a wrapper. */
export function innerOf(
  program: string,
  argv: readonly Arg[],
): readonly InnerCommand[] | undefined {
  const wrapper = Object.hasOwn(WRAPPERS, program) ? WRAPPERS[program] : undefined;
  if (!wrapper) return undefined;
  const inner = innerOfWrapper(wrapper, program, argv);
  return /^(npx|pnpx|bunx)$/.test(program) ? inner?.map(withoutVersion) : inner;
}

/** `npx tool@1.2.3` runs the same program in a given version. */
function withoutVersion(inner: InnerCommand): InnerCommand {
  if (!('argv' in inner)) return inner;
  const [program, ...rest] = inner.argv;
  const name = /^([a-z][\w.-]*)@[\w.^~-]+$/i.exec(program?.open === null ? program.text : '')?.[1];
  return name === undefined ? inner : { ...inner, argv: [literalArg(name), ...rest] };
}

function innerOfWrapper(
  wrapper: Wrapper,
  program: string,
  argv: readonly Arg[],
): readonly InnerCommand[] | undefined {
  const table = tableFor(wrapper, tableOf(program));
  if (!wrapper.verbs) return read(wrapper, table, argv);
  const { firstOperand: at, given } = readOptions(table, argv, 'leading');
  const verb = argv[at];
  if (at < 0 || verb?.open !== null) return undefined;
  if (!wrapper.verbs.some((name) => isVerb(name, verb.text, table))) return undefined;
  const unknown = given.find(({ option }) => option === null);
  if (unknown) return [{ doubt: unknown.word }];
  return read(wrapper, table, [...argv.slice(0, at), ...argv.slice(at + 1)]);
}

function tableFor(
  { options, text = '', splits, permutes }: Wrapper,
  known: Table | undefined,
): Table {
  if (options === undefined && known)
    return { ...known, options: `${known.options} script: ${text}` };
  const syntax = permutes ? 'gnu' : 'posix';
  // What follows the text that is split belongs to the program in it.
  const ends = splits ? { ends: '-S --split-string' } : {};
  return { source: '', syntax, options: `${options ?? ''} script: ${text}`, ...ends };
}

/** npm accepts the beginning of a verb; another verb that begins alike is an error of its own. */
function isVerb(name: string, word: string, { abbreviatesVerbs }: Table): boolean {
  return name === word || (abbreviatesVerbs === true && name.startsWith(word));
}

function read(wrapper: Wrapper, table: Table, argv: readonly Arg[]): readonly InnerCommand[] {
  const [first] = argv;
  if (first && wrapper.idle?.includes(first.text)) return [];
  const found = readOptions(table, argv, wrapper.permutes ? undefined : 'leading');
  const doubt = unclearIn(wrapper, found);
  if (doubt !== undefined) return [{ doubt }];
  const texts = found.given.flatMap(({ option, value }) =>
    option?.effect === 'script' && value ? [value] : [],
  );
  const rest = found.operands.slice(wrapper.operandsBefore ?? 0);
  const ambiguous = wrapper.splits && texts.find((arg) => rest.length > 0 || !isPlain(arg));
  if (ambiguous) return [{ doubt: ambiguous.text }];
  const shells = texts.map((shell): InnerCommand => ({ shell }));
  const from = wrapper.assigns ? rest.findIndex((arg) => !isAssignment(arg)) : 0;
  const env = from < 0 ? rest : rest.slice(0, from);
  const inner = from < 0 ? [] : rest.slice(from);
  if (wrapper.isText) return [...shells, ...inner.filter(isShellText).map((shell) => ({ shell }))];
  if (wrapper.program)
    return [...shells, ...(inner[0] ? [{ argv: [literalArg(wrapper.program), ...inner] }] : [])];
  if (inner[0]?.start.startsWith('-')) return [{ doubt: inner[0].text }];
  if (inner.length === 0) return [...shells, ...(env.length > 0 ? [{ argv: [], env }] : [])];
  if (wrapper.joins) return [...shells, { argv: [], env }, joinedShell(inner)];
  return [...shells, { argv: inner, env }];
}

/** An option that is not known may take the program as its value, or be one that runs something. */
function unclearIn(
  { operandsBefore = 0, options }: Wrapper,
  { given, unclear, operands }: ReadCall,
): string | undefined {
  const unknown = given.find(({ option }) => option === null)?.word;
  if (unknown !== undefined) return unknown;
  const before = operands.slice(0, operandsBefore + (options === undefined ? 0 : 1));
  return unclear.find((arg) => before.includes(arg))?.text;
}

function isShellText({ start }: Arg): boolean {
  return !/^(npm|yarn|pnpm|bun):/.test(start);
}

/** True when a shell and a plain splitter read it alike. */
function isPlain({ text: words }: Arg): boolean {
  return /^[\w./:=@%+, -]*$/.test(words);
}

function isAssignment({ start }: Arg): boolean {
  return /^[A-Za-z_]\w*=/.test(start);
}

/** Words that a program joins and passes to a shell are read again as shell. */
export function joinedShell(words: readonly Arg[]): InnerCommand {
  const open = words.find((word) => word.open !== null);
  if (open) return { doubt: open.text };
  return { shell: literalArg(words.map((word) => word.text).join(' ')) };
}
