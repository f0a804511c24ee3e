import type { Readable, Writable } from 'node:stream';
import type { Environment } from '../config/variable-references.ts';
import type { Signals } from '../main/shutdown.ts';

/** What a command sees of its process. Commands never use `process`, so several can run in one process. */
export interface ProcessContext {
  /** Opened on first use: most commands do not read it. */
  readonly stdin: () => Readable;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly environment: Environment;
  /** What relative paths are resolved against. */
  readonly cwd: string;
  /** The path of the program as it was started; unknown where it was not started as a process. */
  readonly script?: string | undefined;
  readonly signals: Signals;
  /** Ends the process at once. */
  readonly exit: (code: number) => void;
}

/** A terminal has `isTTY` and its width. */
export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };
