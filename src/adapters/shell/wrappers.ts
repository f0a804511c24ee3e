import type { Arg } from '../../domain/parsed-command.ts';

/** The command that a wrapper program would run. */
export type InnerCommand =
  | { readonly argv: readonly Arg[]; readonly env?: readonly Arg[] }
  | { readonly shell: Arg }
  /** It is unknown. */
  | { readonly doubt: string };

interface WrapperSpec {
  /** Options without a value. */
  readonly flags?: readonly string[];
  /** Options that take the next word, or the rest of the same word, as their value. */
  readonly options?: readonly string[];
  /** A true or false after an option without a value is its value. */
  readonly takesBooleans?: true;
  /** The number of operands before the program. */
  readonly operandsBefore?: number;
  /** Words such as NAME=value may precede the program. */
  readonly assigns?: true;
  /** The remaining words are joined and passed to a shell. */
  readonly joins?: true;
  /** An option whose value is shell text. */
  readonly text?: readonly string[];
  /** That text is only split into words, by its own rules, and more words may follow it. */
  readonly splits?: true;
  /** Verbs such as `run`, one of which must come first; otherwise it runs nothing. */
  readonly verbs?: readonly string[];
  /** With one of these options it runs nothing. */
  readonly idle?: readonly string[];
}

/** Programs that measure code coverage. */
const COVERAGE: WrapperSpec = {
  takesBooleans: true,
  flags: [
    ...[
      '--silent',
      '--all',
      '-a',
      '--check-coverage',
      '--clean',
      '--skip-full',
      '--cache',
      '--per-file',
    ],
    ...['--experimental-monocart', '--exclude-after-remap', '--no-clean', '--100', '--instrument'],
  ],
  options: [
    ...[
      '--reporter',
      '-r',
      '--report-dir',
      '--include',
      '--exclude',
      '--temp-dir',
      '-o',
      '-n',
      '-x',
    ],
    ...['--reports-dir', '--lines', '--branches', '--functions', '--statements', '--src', '--cwd'],
    ...['--extension', '--temp-directory', '--nycrc-path'],
  ],
};

/** Programs that run what their own arguments name. */
const WRAPPERS: Readonly<Record<string, WrapperSpec>> = {
  env: {
    flags: ['-i', '-', '--ignore-environment', '-0', '--null', '-v', '--debug'],
    options: ['-u', '--unset'],
    text: ['-S', '--split-string'],
    splits: true,
    assigns: true,
  },
  sudo: { flags: ['-n', '-E', '-H', '-i', '-s', '-S'], options: ['-u', '-g'], assigns: true },
  doas: { flags: ['-n'], options: ['-u'] },
  timeout: {
    flags: ['--foreground', '--preserve-status', '-v', '--verbose'],
    options: ['-k', '--kill-after', '-s', '--signal'],
    operandsBefore: 1,
  },
  gtimeout: { options: ['-k', '-s'], operandsBefore: 1 },
  nice: { options: ['-n', '--adjustment'] },
  ionice: { flags: ['-t'], options: ['-c', '-n'] },
  nohup: {},
  time: { flags: ['-p', '-v'], options: ['-f'] },
  command: { flags: ['-p'], idle: ['-v', '-V'] },
  builtin: {},
  exec: { flags: ['-c', '-l'], options: ['-a'] },
  stdbuf: { options: ['-i', '-o', '-e', '--input', '--output', '--error'] },
  setsid: { flags: ['-w', '-f', '-c', '--wait', '--fork'] },
  chrt: { flags: ['-b', '-i', '-o'], operandsBefore: 1 },
  taskset: { flags: ['-c', '--cpu-list', '-a', '--all-tasks'], operandsBefore: 1 },
  unbuffer: { flags: ['-p'] },
  flock: { flags: ['-n', '-s', '-x', '-e'], options: ['-w'], text: ['-c'], operandsBefore: 1 },
  watch: {
    flags: ['-d', '-t', '-b', '-e', '-g', '-c'],
    options: ['-n', '--interval'],
    joins: true,
  },
  'xvfb-run': { flags: ['-a', '--auto-servernum'], options: ['-s', '--server-args', '-n'] },
  'dbus-run-session': { flags: ['--'] },
  'cross-env': { assigns: true },
  'cross-env-shell': { assigns: true, joins: true },
  dotenv: { options: ['-e', '-c', '-v'] },
  'env-cmd': { options: ['-f', '-e', '-r'], flags: ['--silent', '--no-override'] },
  npx: {
    flags: ['-y', '--yes', '--no-install', '--no', '-q', '--quiet', '--prefer-offline'],
    options: ['-p', '--package'],
    text: ['-c', '--call'],
  },
  pnpx: {},
  bunx: { flags: ['--bun'] },
  npm: { verbs: ['exec', 'x'], flags: ['--no', '--yes', '-y'], options: ['--package'] },
  pnpm: { verbs: ['exec', 'dlx'] },
  yarn: { verbs: ['exec', 'dlx'] },
  poetry: { verbs: ['run'] },
  pipenv: { verbs: ['run'] },
  pdm: { verbs: ['run'] },
  rye: { verbs: ['run'] },
  hatch: { verbs: ['run'] },
  uv: {
    verbs: ['run'],
    flags: [
      '--frozen',
      '--locked',
      '--no-sync',
      '--all-extras',
      '--isolated',
      '-q',
      '--no-project',
    ],
    options: ['--extra', '--group', '--python', '-p'],
  },
  bundle: { verbs: ['exec'] },
  nyc: { ...COVERAGE, idle: ['report', 'merge', 'instrument', 'check-coverage'] },
  c8: { ...COVERAGE, idle: ['report', 'check-coverage'] },
  strace: { flags: ['-f', '-q', '-c'], options: ['-e', '-o', '-s'] },
  catchsegv: {},
  busybox: {},
  script: { flags: ['-q', '-e', '-f'], text: ['-c'], operandsBefore: 0 },
};

/** The command it runs, or undefined when it is not a wrapper. */
export function innerOf(
  program: string,
  argv: readonly Arg[],
): readonly InnerCommand[] | undefined {
  const spec = WRAPPERS[program];
  if (!spec || !Object.hasOwn(WRAPPERS, program)) return undefined;
  const [verb] = argv;
  if (spec.verbs) {
    if (verb?.open !== null || !spec.verbs.includes(verb.text)) return undefined;
    return read(spec, argv.slice(1));
  }
  return read(spec, argv);
}

interface Rest {
  readonly rest: readonly Arg[];
  readonly texts: readonly Arg[];
}

function read(spec: WrapperSpec, argv: readonly Arg[]): readonly InnerCommand[] {
  const [first] = argv;
  if (first && spec.idle?.includes(first.text)) return [];
  const found = skipOptions(spec, argv);
  if ('doubt' in found) return [found];
  const { texts } = found;
  const ambiguous = spec.splits && texts.find((arg) => found.rest.length > 0 || !isPlain(arg));
  if (ambiguous) return [{ doubt: ambiguous.text }];
  const shells = texts.map((shell): InnerCommand => ({ shell }));
  const rest = found.rest.slice(spec.operandsBefore ?? 0);
  const from = spec.assigns ? rest.findIndex((arg) => !isAssignment(arg)) : 0;
  const env = from < 0 ? rest : rest.slice(0, from);
  const inner = from < 0 ? [] : rest.slice(from);
  if (inner.length === 0) return [...shells, ...(env.length > 0 ? [{ argv: [], env }] : [])];
  if (spec.joins) return [...shells, { argv: [], env }, joinedShell(inner)];
  return [...shells, { argv: inner, env }];
}

function skipOptions(
  { flags = [], options = [], text = [], splits, takesBooleans }: WrapperSpec,
  argv: readonly Arg[],
): Rest | { readonly doubt: string } {
  const texts: Arg[] = [];
  let at = 0;
  for (; at < argv.length; at += 1) {
    const arg = argv[at] as Arg;
    if (arg.open !== null && !/^[^-]/.test(arg.start)) return { doubt: arg.text };
    if (!arg.start.startsWith('-') || arg.text === '-') {
      if (arg.text !== '-' || !flags.includes('-')) break;
      continue;
    }
    if (arg.text === '--') return { rest: argv.slice(at + 1), texts };
    const option = matchOption(arg.text, [...options, ...text]);
    if (flags.includes(arg.text)) {
      const next = argv[at + 1]?.text ?? '';
      if (takesBooleans && /^(true|false)$/.test(next)) return { doubt: next };
      continue;
    }
    if (!option) {
      if (/^-\d+$/.test(arg.text)) continue;
      return { doubt: arg.text };
    }
    const value = option.value ?? argv[at + 1];
    if (option.value === undefined) at += 1;
    if (!value || !text.includes(option.name)) continue;
    texts.push(value);
    if (splits) return { rest: argv.slice(at + 1), texts };
  }
  return { rest: argv.slice(at), texts };
}

/** The option that a word is, and its value if that is in the same word. */
function matchOption(
  word: string,
  options: readonly string[],
): { readonly name: string; readonly value?: Arg } | undefined {
  for (const name of options) {
    if (word === name) return { name };
    const rest = word.slice(name.length);
    if (!word.startsWith(name)) continue;
    if (name.startsWith('--') && rest.startsWith('=')) return { name, value: text(rest.slice(1)) };
    if (!name.startsWith('--')) return { name, value: text(rest) };
  }
  return undefined;
}

function text(value: string): Arg {
  return { text: value, open: null, start: value };
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
  return { shell: text(words.map((word) => word.text).join(' ')) };
}
