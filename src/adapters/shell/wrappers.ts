import type { Arg } from '../../domain/shell-reading.ts';

/** What a program that runs others would run. */
export type Inner =
  | { readonly argv: readonly Arg[]; readonly env?: readonly Arg[] }
  | { readonly shell: Arg }
  /** It cannot be told. */
  | { readonly doubt: string };

interface Wrapping {
  /** Options that stand alone. */
  readonly alone?: readonly string[];
  /** Options that take the next word, or what follows them in the same word. */
  readonly valued?: readonly string[];
  /** A true or false behind an option that stands alone is its value. */
  readonly answers?: true;
  /** How many operands stand before the program. */
  readonly before?: number;
  /** Words such as NAME=value may stand before the program. */
  readonly assigns?: true;
  /** What is left is joined and given to a shell. */
  readonly joins?: true;
  /** An option whose value is shell text. */
  readonly text?: readonly string[];
  /** That text is only split into words, by rules of its own, and what follows it are more of them. */
  readonly splits?: true;
  /** Words such as `run` that have to come first; otherwise it runs nothing. */
  readonly verbs?: readonly string[];
  /** Nothing is run when one of these is given. */
  readonly idle?: readonly string[];
}

/** What watches how much of a program is run. */
const COVERING: Wrapping = {
  answers: true,
  alone: [
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
  valued: [
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

/** Programs that start what their own arguments name. */
const WRAPPERS: Readonly<Record<string, Wrapping>> = {
  env: {
    alone: ['-i', '-', '--ignore-environment', '-0', '--null', '-v', '--debug'],
    valued: ['-u', '--unset'],
    text: ['-S', '--split-string'],
    splits: true,
    assigns: true,
  },
  sudo: { alone: ['-n', '-E', '-H', '-i', '-s', '-S'], valued: ['-u', '-g'], assigns: true },
  doas: { alone: ['-n'], valued: ['-u'] },
  timeout: {
    alone: ['--foreground', '--preserve-status', '-v', '--verbose'],
    valued: ['-k', '--kill-after', '-s', '--signal'],
    before: 1,
  },
  gtimeout: { valued: ['-k', '-s'], before: 1 },
  nice: { valued: ['-n', '--adjustment'] },
  ionice: { alone: ['-t'], valued: ['-c', '-n'] },
  nohup: {},
  time: { alone: ['-p', '-v'], valued: ['-f'] },
  command: { alone: ['-p'], idle: ['-v', '-V'] },
  builtin: {},
  exec: { alone: ['-c', '-l'], valued: ['-a'] },
  stdbuf: { valued: ['-i', '-o', '-e', '--input', '--output', '--error'] },
  setsid: { alone: ['-w', '-f', '-c', '--wait', '--fork'] },
  chrt: { alone: ['-b', '-i', '-o'], before: 1 },
  taskset: { alone: ['-c', '--cpu-list', '-a', '--all-tasks'], before: 1 },
  unbuffer: { alone: ['-p'] },
  flock: { alone: ['-n', '-s', '-x', '-e'], valued: ['-w'], text: ['-c'], before: 1 },
  watch: { alone: ['-d', '-t', '-b', '-e', '-g', '-c'], valued: ['-n', '--interval'], joins: true },
  'xvfb-run': { alone: ['-a', '--auto-servernum'], valued: ['-s', '--server-args', '-n'] },
  'dbus-run-session': { alone: ['--'] },
  'cross-env': { assigns: true },
  'cross-env-shell': { assigns: true, joins: true },
  dotenv: { valued: ['-e', '-c', '-v'] },
  'env-cmd': { valued: ['-f', '-e', '-r'], alone: ['--silent', '--no-override'] },
  npx: {
    alone: ['-y', '--yes', '--no-install', '--no', '-q', '--quiet', '--prefer-offline'],
    valued: ['-p', '--package'],
    text: ['-c', '--call'],
  },
  pnpx: {},
  bunx: { alone: ['--bun'] },
  npm: { verbs: ['exec', 'x'], alone: ['--no', '--yes', '-y'], valued: ['--package'] },
  pnpm: { verbs: ['exec', 'dlx'] },
  yarn: { verbs: ['exec', 'dlx'] },
  poetry: { verbs: ['run'] },
  pipenv: { verbs: ['run'] },
  pdm: { verbs: ['run'] },
  rye: { verbs: ['run'] },
  hatch: { verbs: ['run'] },
  uv: {
    verbs: ['run'],
    alone: [
      '--frozen',
      '--locked',
      '--no-sync',
      '--all-extras',
      '--isolated',
      '-q',
      '--no-project',
    ],
    valued: ['--extra', '--group', '--python', '-p'],
  },
  bundle: { verbs: ['exec'] },
  nyc: { ...COVERING, idle: ['report', 'merge', 'instrument', 'check-coverage'] },
  c8: { ...COVERING, idle: ['report', 'check-coverage'] },
  strace: { alone: ['-f', '-q', '-c'], valued: ['-e', '-o', '-s'] },
  catchsegv: {},
  busybox: {},
  script: { alone: ['-q', '-e', '-f'], text: ['-c'], before: 0 },
};

/** What it runs, or undefined when it is not one of those that run others. */
export function innerOf(program: string, argv: readonly Arg[]): readonly Inner[] | undefined {
  const wrapping = WRAPPERS[program];
  if (!wrapping || !Object.hasOwn(WRAPPERS, program)) return undefined;
  const [verb] = argv;
  if (wrapping.verbs) {
    if (verb?.open !== null || !wrapping.verbs.includes(verb.text)) return undefined;
    return read(wrapping, argv.slice(1));
  }
  return read(wrapping, argv);
}

interface Rest {
  readonly rest: readonly Arg[];
  readonly texts: readonly Arg[];
}

function read(wrapping: Wrapping, argv: readonly Arg[]): readonly Inner[] {
  const [first] = argv;
  if (first && wrapping.idle?.includes(first.text)) return [];
  const found = pastOptions(wrapping, argv);
  if ('doubt' in found) return [found];
  const { texts } = found;
  const odd = wrapping.splits && texts.find((arg) => found.rest.length > 0 || !isPlain(arg));
  if (odd) return [{ doubt: odd.text }];
  const shells = texts.map((shell): Inner => ({ shell }));
  const rest = found.rest.slice(wrapping.before ?? 0);
  const from = wrapping.assigns ? rest.findIndex((arg) => !isAssignment(arg)) : 0;
  const env = from < 0 ? rest : rest.slice(0, from);
  const inner = from < 0 ? [] : rest.slice(from);
  if (inner.length === 0) return [...shells, ...(env.length > 0 ? [{ argv: [], env }] : [])];
  if (wrapping.joins) return [...shells, { argv: [], env }, joinedShell(inner)];
  return [...shells, { argv: inner, env }];
}

function pastOptions(
  { alone = [], valued = [], text = [], splits, answers }: Wrapping,
  argv: readonly Arg[],
): Rest | { readonly doubt: string } {
  const texts: Arg[] = [];
  let at = 0;
  for (; at < argv.length; at += 1) {
    const arg = argv[at] as Arg;
    if (arg.open !== null && !/^[^-]/.test(arg.start)) return { doubt: arg.text };
    if (!arg.start.startsWith('-') || arg.text === '-') {
      if (arg.text !== '-' || !alone.includes('-')) break;
      continue;
    }
    if (arg.text === '--') return { rest: argv.slice(at + 1), texts };
    const option = takes(arg.text, [...valued, ...text]);
    if (alone.includes(arg.text)) {
      const next = argv[at + 1]?.text ?? '';
      if (answers && /^(true|false)$/.test(next)) return { doubt: next };
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

/** The option a word is, and its value where that stands in the same word. */
function takes(
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

/** Nothing in it means one thing to a shell and another to what only splits it. */
function isPlain({ text: words }: Arg): boolean {
  return /^[\w./:=@%+, -]*$/.test(words);
}

function isAssignment({ start }: Arg): boolean {
  return /^[A-Za-z_]\w*=/.test(start);
}

/** Words that a program joins and gives to a shell are read once more as shell. */
export function joinedShell(words: readonly Arg[]): Inner {
  const open = words.find((word) => word.open !== null);
  if (open) return { doubt: open.text };
  return { shell: text(words.map((word) => word.text).join(' ')) };
}
