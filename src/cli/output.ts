import { createColors } from 'picocolors';
import type { Environment } from '../config/variable-references.ts';
import type { OutputStream, ProcessContext } from './process-context.ts';
import { type Column, table } from './table.ts';

type Colours = ReturnType<typeof createColors>;

/** Where a command puts what it has to say: data on stdout, all else on stderr. */
export interface Output {
  readonly json: boolean;
  /** True when a person looks at stdout. */
  readonly isTerminal: boolean;
  readonly colours: Colours;
  /** The one answer of a command: as JSON when that was asked for, else as text. */
  answer<T>(value: T, text: (value: T) => string): void;
  /** One of many answers that come one after another: NDJSON, or a line of text each. */
  next<T>(value: T, text: (value: T) => string): void;
  table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], empty: string): string;
  /** A remark for the person who typed the command. */
  say(text: string): void;
  /** What was done all the same, and is probably not what was meant. */
  warn(text: string): void;
  /** How far something is; shown only to a person, in place. */
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
    const said = json ? JSON.stringify(value) : text(value);
    if (said !== '') line(stdout, said);
  }

  return {
    json,
    isTerminal,
    colours,
    answer: put,
    next: put,
    table(columns, rows, empty) {
      if (rows.length === 0) return colours.dim(empty);
      const [head = '', ...lines] = table(columns, rows, widthOf(stdout)).split('\n');
      return [colours.dim(head), ...lines].join('\n');
    },
    say: (text) => line(stderr, text),
    warn: (text) => line(stderr, `${colours.yellow('warning:')} ${text}`),
    progress(text) {
      if (stderr.isTTY !== true || json) return;
      stderr.write(`\r\u001b[K${text}`);
      isProgressShown = true;
    },
  };
}

/** Undefined where nobody looks, and lines may be of any length. */
export function widthOf(stream: OutputStream): number | undefined {
  return stream.isTTY === true ? stream.columns : undefined;
}

/** https://no-color.org and https://force-color.org: an empty value is none. */
function wantsColour(
  { NO_COLOR, FORCE_COLOR, TERM }: Environment,
  asked: boolean | undefined,
  isTerminal: boolean,
): boolean {
  if (asked !== undefined) return asked;
  if (NO_COLOR) return false;
  if (FORCE_COLOR) return FORCE_COLOR !== '0';
  return isTerminal && TERM !== 'dumb';
}
