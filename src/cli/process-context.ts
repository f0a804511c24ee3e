import type { Readable, Writable } from 'node:stream';
import type { Environment } from '../config/variable-references.ts';
import type { Signals } from '../main/shutdown.ts';

/** Where a command runs. Commands use nothing of `process` itself, so several can run in one process. */
export interface ProcessContext {
  /** Opened when it is read: most commands leave it alone. */
  readonly stdin: () => Readable;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly environment: Environment;
  /** What relative paths are resolved against. */
  readonly cwd: string;
  readonly signals: Signals;
  /** Ends the process at once, whatever is under way. */
  readonly exit: (code: number) => void;
}

/** A terminal says so, and how wide it is. */
export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };
