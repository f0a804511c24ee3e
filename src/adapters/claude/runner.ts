import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { McpServerConfig, Options } from '@anthropic-ai/claude-agent-sdk';
import { builtInTools, HALL_SERVER } from '../../domain/agent-tools.ts';
import type { McpServer } from '../../domain/persona.ts';
import { nameOfLimit } from '../../domain/project.ts';
import type {
  AgentEnd,
  AgentJob,
  AgentRunner,
  RunCallbacks,
  Session,
  TranscriptEntry,
} from '../../ports/agent.ts';
import type { CellEnd } from '../../ports/cell.ts';
import { type Ending, NO_ENDING, updateEnding } from './ending.ts';
import { environmentFor } from './environment.ts';
import { serveHallTools } from './hall-tools.ts';
import { permissionHook } from './permission-hook.ts';
import { findProgram, loadSdk, type Sdk } from './sdk.ts';
import { readSession, writeSession } from './session-file.ts';
import { type Program, startProgram } from './start-program.ts';
import { entry, missingServers, readMessage } from './transcript.ts';

interface ClaudeSettings {
  /** A program to use instead of the SDK's own. */
  readonly path?: string;
  /** How often the program retries a model that is overloaded or unreachable, with growing delays. */
  readonly retries?: number;
}

const RETRIES = 4;

/** Agents on the Claude Agent SDK: its loop and tools run in the cell, ours stay outside. */
export function createClaudeRunner({ path, retries = RETRIES }: ClaudeSettings = {}): AgentRunner {
  const program = path === undefined ? findProgram() : { path };
  return {
    name: 'claude',
    missing: 'missing' in program ? program.missing : null,
    readable: 'path' in program ? [program.path] : [],
    async run(job, callbacks) {
      if ('missing' in program) return failed(program.missing);
      if (callbacks.stop.aborted) return { how: 'aborted', turns: 0, session: null };
      const sdk = await loadSdk();
      return new Conversation({ sdk, job, callbacks, path: program.path, retries }).run();
    },
  };
}

function failed(because: string): AgentEnd {
  return { how: 'failed', why: 'crashed', because, resetsAt: null, turns: 0, session: null };
}

interface Needs {
  readonly sdk: Sdk;
  readonly job: AgentJob;
  readonly callbacks: RunCallbacks;
  /** Path of the program, the same inside the cell. */
  readonly path: string;
  readonly retries: number;
}

/** How long to read remaining output after the program ended. */
const DRAIN_TIME = 500;
/** How long the program may take to exit once the agent has nothing more to do. */
const EXIT_GRACE = 5_000;

class Conversation {
  readonly #needs: Needs;
  readonly #id: string;
  readonly #responses = new Set<string>();
  readonly #started = Promise.withResolvers<Program>();
  readonly #exitGrace = new AbortController();
  #program: Program | undefined;
  #entries = 0;
  #endingSoFar = NO_ENDING;
  #error: unknown;
  #hasEnded = false;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#id = needs.job.session?.id ?? randomUUID();
  }

  async run(): Promise<AgentEnd> {
    const { job, callbacks } = this.#needs;
    if (job.session && !(await writeSession(job.cell, job.session))) return this.#sessionLost();
    const stop = () => this.#program?.stopNow();
    callbacks.stop.addEventListener('abort', stop);
    try {
      await Promise.race([this.#listen(), this.#exited()]);
    } finally {
      callbacks.stop.removeEventListener('abort', stop);
      this.#exitGrace.abort();
      this.#program?.stopNow();
    }
    const end = await this.#program?.ended;
    return { ...this.#ending(end), turns: this.#responses.size, session: await this.#session() };
  }

  async #listen(): Promise<void> {
    const { sdk, job } = this.#needs;
    try {
      for await (const message of sdk.query({
        prompt: job.prompt.task,
        options: this.#options(),
      })) {
        this.#handle(message);
      }
    } catch (error) {
      // The SDK throws for anything its program did; the ending says what it was.
      this.#error = error;
    }
  }

  #handle(message: unknown): void {
    this.#endingSoFar = updateEnding(this.#endingSoFar, message);
    const { responseId, entries } = readMessage(message);
    if (responseId !== null) this.#responses.add(responseId);
    const missing = missingServers(message, this.#needs.job.mcpServers);
    for (const each of [...missing, ...entries]) this.#record(each);
  }

  /** Stops recording a program that never stops talking. */
  #record(message: TranscriptEntry): void {
    this.#entries += 1;
    if (this.#entries < MAX_ENTRIES) this.#needs.callbacks.record(message);
    if (this.#entries === MAX_ENTRIES) this.#needs.callbacks.record(entry('hall', TRANSCRIPT_FULL));
  }

  /** Settles shortly after the program is gone, whether or not its last messages were parsed. */
  async #exited(): Promise<void> {
    const program = await this.#started.promise;
    await program.ended;
    await pause(DRAIN_TIME);
  }

  #options(): Options {
    const { sdk, job, callbacks, path, retries } = this.#needs;
    const { cell, session } = job;
    const env = {
      ...environmentFor(job),
      CLAUDE_CODE_MAX_RETRIES: String(retries),
    };
    const onLastCall = () => this.#requestExit();
    return {
      pathToClaudeCodeExecutable: path,
      spawnClaudeCodeProcess: (options) => {
        this.#program = startProgram({ cell, env, inside: job.inside }, options);
        this.#started.resolve(this.#program);
        if (callbacks.stop.aborted) this.#program.stopNow();
        return this.#program;
      },
      env,
      cwd: cell.paths.work,
      settingSources: [],
      strictMcpConfig: true,
      permissionMode: 'default',
      permissionPrompts: 'none',
      model: job.model,
      maxTurns: job.maxTurns,
      systemPrompt: { type: 'preset', preset: 'claude_code', append: job.prompt.system },
      tools: builtInTools(job),
      mcpServers: {
        ...Object.fromEntries(job.mcpServers.map((server) => [server.name, serverIn(server)])),
        [HALL_SERVER]: serveHallTools({ sdk, callbacks, onLastCall }, job.tools),
      },
      hooks: {
        PreToolUse: [permissionHook({ callbacks, job })],
        PostToolUse: [{ hooks: [async () => (this.#hasEnded ? STOP_OUTPUT : {})] }],
      },
      ...(session ? { resume: this.#id } : { sessionId: this.#id }),
    };
  }

  /** Asks the program to stop after this call, and kills it if it does not. */
  #requestExit(): void {
    this.#hasEnded = true;
    const { signal } = this.#exitGrace;
    pause(EXIT_GRACE, undefined, { signal }).then(
      () => this.#program?.stopNow(),
      () => undefined,
    );
  }

  #ending(end: CellEnd | undefined): Ending | { readonly how: 'aborted' } {
    if (this.#needs.callbacks.stop.aborted) return { how: 'aborted' };
    if (this.#hasEnded) return { how: 'stopped' };
    const stoppedFor = this.#program?.stoppedFor() ?? null;
    const claimed = this.#endingSoFar.ending;
    if (stoppedFor === null && claimed) return this.#resumable(claimed);
    const because = stoppedFor ?? crashReason(end, this.#program, this.#error);
    this.#needs.callbacks.record(entry('error', because));
    const isLost =
      this.#needs.job.session !== null && this.#responses.size === 0 && stoppedFor === null;
    const crash = isLost ? 'session_lost' : 'crashed';
    return { how: 'failed', why: end?.limit ? 'limit' : crash, because, resetsAt: null };
  }

  /** A model that refuses the first call of a resumed conversation refuses its history. */
  #resumable(claimed: Ending): Ending {
    const isHistory = this.#needs.job.session !== null && this.#responses.size === 0;
    if (!isHistory || claimed.how !== 'failed' || claimed.why !== 'refused') return claimed;
    return { ...claimed, why: 'session_lost' };
  }

  #sessionLost(): AgentEnd {
    const because = `session ${this.#id} could not be written into the cell`;
    return { how: 'failed', why: 'session_lost', because, resetsAt: null, turns: 0, session: null };
  }

  async #session(): Promise<Session | null> {
    return this.#program ? readSession(this.#needs.job.cell, this.#id) : null;
  }
}

/** The agent's program starts the command, or connects to the address, inside the cell. */
function serverIn(server: McpServer): McpServerConfig {
  // The first prompt waits for its tools; otherwise the agent may begin without them.
  const alwaysLoad = true;
  if ('url' in server) return { type: 'http', url: server.url, alwaysLoad };
  const [command = '', ...args] = server.command;
  return { type: 'stdio', command, args, alwaysLoad };
}

const MAX_ENTRIES = 20_000;
const TRANSCRIPT_FULL = `the transcript is full: only ${MAX_ENTRIES} entries are recorded; the rest is left out`;
const STOP_OUTPUT = { continue: false, stopReason: 'the run is over' };

function crashReason(
  end: CellEnd | undefined,
  program: Program | undefined,
  fault: unknown,
): string {
  const stderrTail = program?.stderrTail() ?? '';
  const details = stderrTail === '' ? '' : `: ${stderrTail.slice(-1_000)}`;
  if (end?.limit)
    return `the agent's program reached its ${nameOfLimit(end.limit)} limit${details}`;
  if (end && end.code !== 0)
    return `the agent's program ended with ${end.signal ?? `exit code ${end.code}`}${details}`;
  const because = fault instanceof Error ? fault.message.slice(0, 1_000) : 'no error was reported';
  return `the agent's program ended without a result: ${because}${details}`;
}
