import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { runCommand } from '../../src/cli/run-command.ts';

export interface Around {
  readonly cwd: string;
  /** The complete environment: nothing of this machine is added. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
  /** Whether a person types the input. */
  readonly isTerminal?: boolean;
  /** Called with the output as it is written. */
  readonly heard?: (text: string) => void;
}

/** A command of the product that runs in this process. */
export interface CommandInProcess {
  stdout(): string;
  stderr(): string;
  /** Undefined while it runs. */
  readonly code: number | undefined;
  /** The exit code; rejects when the command threw an exception. */
  readonly ended: Promise<number>;
  /** Delivers a signal to the command. Signals that a program cannot handle cannot be sent. */
  signal(signal: NodeJS.Signals): void;
}

const UNHANDLED: readonly NodeJS.Signals[] = ['SIGKILL', 'SIGSTOP', 'SIGCONT'];

/** Runs the product's command line with its own streams, environment, folder and signals. */
export function runInProcess(args: readonly string[], options: Around): CommandInProcess {
  const { cwd, environment, input = '', isTerminal = false, heard = () => undefined } = options;
  const [stdout, stderr] = [createSink(heard), createSink(heard)];
  const signals = new EventEmitter();
  const exited = Promise.withResolvers<number>();
  let code: number | undefined;
  const end = (ending: number) => {
    code ??= ending;
    exited.resolve(ending);
  };
  runCommand(args, {
    stdin: () => {
      const typed = Readable.from(input === '' ? [] : [Buffer.from(input)]);
      return Object.assign(typed, { isTTY: isTerminal });
    },
    stdout: stdout.stream,
    stderr: stderr.stream,
    environment,
    cwd,
    signals,
    exit: end,
  }).then(end, (fault) => {
    code ??= 1;
    exited.reject(fault);
  });
  return {
    stdout: stdout.text,
    stderr: stderr.text,
    get code() {
      return code;
    },
    ended: exited.promise,
    signal(signal) {
      if (UNHANDLED.includes(signal)) {
        throw new Error(`${signal} takes a process of its own, and this command has none`);
      }
      signals.emit(signal, signal);
    },
  };
}

function createSink(onText: (text: string) => void) {
  const chunks: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      const text = String(chunk);
      chunks.push(text);
      onText(text);
      done();
    },
  });
  return { stream, text: () => chunks.join('') };
}
