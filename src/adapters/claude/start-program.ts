import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';
import type { SpawnedProcess, SpawnOptions } from '@anthropic-ai/claude-agent-sdk';
import type { AgentJob } from '../../ports/agent.ts';
import type { Cell, CellEnd, CellProcess } from '../../ports/cell.ts';
import { isSdkVariable } from './environment.ts';

/** The agent's program in its cell, in the form that the SDK expects. */
export interface Program extends SpawnedProcess {
  readonly ended: Promise<CellEnd>;
  /** The end of its stderr. */
  stderrTail(): string;
  /** Why we stopped it, or null. */
  stoppedFor(): string | null;
  stopNow(): void;
}

interface Needs {
  readonly cell: Cell;
  readonly inside: AgentJob['inside'];
  /** Our own part of the environment, by name. */
  readonly env: Readonly<Record<string, string>>;
}

/** Starts the program inside and passes on its output in lines of bounded length. */
export function startProgram({ cell, env, inside }: Needs, options: SpawnOptions): Program {
  const defined = Object.entries(options.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const allowed = defined.filter(([name]) => name in env || isSdkVariable(name));
  const child = cell.start({
    argv: [inside?.(options.command) ?? options.command, ...options.args],
    env: Object.fromEntries(allowed),
    cwd: options.cwd ?? cell.paths.work,
  });
  return new CellProgram(child);
}

/** No real message comes close; a longer line is an attempt to fill our memory. */
const LONGEST_LINE = 16 * 1024 * 1024;
const STDERR_TAIL = 8_192;

class CellProgram extends EventEmitter implements Program {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly ended: Promise<CellEnd>;
  killed = false;
  exitCode: number | null = null;
  signalCode: NodeJS.Signals | null = null;
  readonly #child: CellProcess;
  #stderrTail = '';
  #stoppedFor: string | null = null;

  constructor(child: CellProcess) {
    super();
    this.#child = child;
    this.stdin = writableTo(child);
    this.stdout = Readable.from(this.#lines(child.stdout), { objectMode: false });
    this.stdout.on('error', () => this.stopNow());
    void this.#keepStderrTail(child.stderr);
    this.ended = child.ended.then((end) => this.#recordExit(end));
  }

  kill(): boolean {
    this.stopNow();
    return true;
  }

  stopNow(): void {
    this.killed = true;
    if (this.exitCode === null && this.signalCode === null) this.#child.kill();
  }

  stderrTail(): string {
    return this.#stderrTail.trim();
  }

  stoppedFor(): string | null {
    return this.#stoppedFor;
  }

  #recordExit(end: CellEnd): CellEnd {
    this.exitCode = end.code;
    this.signalCode = end.signal as NodeJS.Signals | null;
    this.emit('exit', end.code, end.signal);
    return end;
  }

  /** Whole lines that can be messages. The SDK fails on JSON that is not an object. */
  async *#lines(stdout: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let parts: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of stdout) {
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
        const line = Buffer.concat([...parts, chunk.subarray(from, end + 1)]);
        if (line[0] === BRACE) yield line;
        parts = [];
        length = 0;
        from = end + 1;
      }
      parts.push(chunk.subarray(from));
      length += chunk.length - from;
      if (length > LONGEST_LINE)
        return this.#stopFor(
          `the agent's program sent a line longer than ${LONGEST_LINE / 1024 ** 2} MiB`,
        );
    }
  }

  #stopFor(because: string): void {
    this.#stoppedFor = because;
    this.stopNow();
  }

  async #keepStderrTail(stderr: AsyncIterable<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stderr) {
      this.#stderrTail += decoder.decode(chunk, { stream: true });
      this.#stderrTail = this.#stderrTail.slice(-STDERR_TAIL);
    }
  }
}

const NEWLINE = 0x0a;
const BRACE = 0x7b;

function writableTo({ stdin }: CellProcess): Writable {
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      stdin.write(chunk);
      done();
    },
    final(done) {
      stdin.end();
      done();
    },
  });
}
