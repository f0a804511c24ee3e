import { createColors } from 'picocolors';
import type { Environment } from '../config/variable-references.ts';
import type { OutputStream, ProcessContext } from './process-context.ts';
import { type Colour, type Column, table } from './table.ts';

type Colours = ReturnType<typeof createColors>;

/** Where a command prints: data on stdout, everything else on stderr. */
export interface Output {
  readonly json: boolean;
  /** True when stdout is a terminal and --json was not given. */
  readonly isTerminal: boolean;
  readonly colours: Colours;
  /** The one result of a command: JSON with --json, else text. */
  answer<T>(value: T, text: (value: T) => string): void;
  /** One of a stream of results: a line of NDJSON or of text. */
  next<T>(value: T, text: (value: T) => string): void;
  table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], empty: string): string;
  /** A remark for the person who typed the command. */
  say(text: string): void;
  /** For something that the command found and that makes it fail. */
  error(text: string): void;
  /** For something that was done but is probably not what the user meant. */
  warn(text: string): void;
  /** Progress, shown only on a terminal and overwritten in place. */
  progress(text: string): void;
}

interface OutputOptions {
  readonly json: boolean;
  /** Undefined leaves it to the environment and the terminal. */
  readonly colour: boolean | undefined;
}

export function createOutput(
  { stdout, stderr, environment }: Pick<ProcessContext, 'stdout' | 'stderr' | 'environment'>,
  { json, colour }: OutputOptions,
): Output {
  const isTerminal = stdout.isTTY === true && !json;
  const colours = createColors(wantsColour(environment, colour, isTerminal));
  let isProgressShown = false;

  function line(stream: OutputStream, text: string): void {
    if (isProgressShown) stderr.write('\r\u001b[K');
    isProgressShown = false;
    stream.write(`${text}\n`);
  }

  function put<T>(value: T, text: (value: T) => string): void {
    const printed = json ? JSON.stringify(value) : text(value);
    if (printed !== '') line(stdout, printed);
  }

  return {
    json,
    isTerminal,
    colours,
    answer: put,
    next: put,
    table(columns, rows, empty) {
      if (rows.length === 0) return colours.dim(empty);
      const paint = (text: string, colour: Colour) => colours[colour](text);
      const [head = '', ...lines] = table(columns, rows, widthOf(stdout), paint).split('\n');
      return [colours.dim(head), ...lines].join('\n');
    },
    say: (text) => line(stderr, text),
    error: (text) => line(stderr, `${colours.red('error:')} ${text}`),
    warn: (text) => line(stderr, `${colours.yellow('warning:')} ${text}`),
    progress(text) {
      if (stderr.isTTY !== true || json) return;
      stderr.write(`\r\u001b[K${text}`);
      isProgressShown = true;
    },
  };
}

/** Undefined when it is not a terminal, where lines may have any length. */
export function widthOf(stream: OutputStream): number | undefined {
  return stream.isTTY === true ? stream.columns : undefined;
}

/** https://no-color.org and https://force-color.org: an empty value counts as unset. */
function wantsColour(
  { NO_COLOR, FORCE_COLOR, TERM }: Environment,
  option: boolean | undefined,
  isTerminal: boolean,
): boolean {
  if (option !== undefined) return option;
  if (NO_COLOR) return false;
  if (FORCE_COLOR) return FORCE_COLOR !== '0';
  return isTerminal && TERM !== 'dumb';
}
