import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Options } from '@anthropic-ai/claude-agent-sdk';
import { nameOfLimit } from '../../domain/project.ts';
import type {
  AgentEnd,
  AgentJob,
  AgentRunner,
  Around,
  Session,
  TranscriptEntry,
} from '../../ports/agent.ts';
import type { CellEnd } from '../../ports/cell.ts';
import { type Ending, judge, UNDECIDED } from './ending.ts';
import { environmentFor } from './environment.ts';
import { gateFor, toolsFor } from './gate.ts';
import { HALL, serveHallTools } from './hall-tools.ts';
import { type Program, startProgram } from './program.ts';
import { findProgram, loadSdk, type Sdk } from './sdk.ts';
import { putSession, takeSession } from './session-file.ts';
import { entry, hear } from './transcript.ts';

interface ClaudeSettings {
  /** Another program than the one that comes with the SDK. */
  readonly path?: string;
  /** How often the program asks a model again that is overloaded or out of reach, a little later each time. */
  readonly retries?: number;
}

const RETRIES = 4;

/**
 * Agents on the Claude Agent SDK: its loop and its tools run in the cell, what is ours stays outside.
 */
export function createClaudeRunner({ path, retries = RETRIES }: ClaudeSettings = {}): AgentRunner {
  const program = path === undefined ? findProgram() : { path };
  return {
    name: 'claude',
    missing: 'missing' in program ? program.missing : null,
    readable: 'path' in program ? [program.path] : [],
    async run(job, around) {
      if ('missing' in program) return failed(program.missing);
      if (around.stop.aborted) return { how: 'aborted', turns: 0, session: null };
      const sdk = await loadSdk();
      return new Conversation({ sdk, job, around, path: program.path, retries }).hold();
    },
  };
}

function failed(because: string): AgentEnd {
  return { how: 'failed', why: 'crashed', because, resetsAt: null, turns: 0, session: null };
}

interface Needs {
  readonly sdk: Sdk;
  readonly job: AgentJob;
  readonly around: Around;
  /** Of the program, the same inside the cell. */
  readonly path: string;
  readonly retries: number;
}

/** After the program ended, how long its last words may take to be read. */
const LAST_WORDS = 500;
/** After the agent has nothing more to do, how long its program may take to end by itself. */
const GOODBYE = 5_000;

class Conversation {
  readonly #needs: Needs;
  readonly #id: string;
  readonly #answers = new Set<string>();
  readonly #started = Promise.withResolvers<Program>();
  readonly #goodbye = new AbortController();
  #program: Program | undefined;
  #entries = 0;
  #verdict = UNDECIDED;
  #fault: unknown;
  #isOver = false;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#id = needs.job.session?.id ?? randomUUID();
  }

  async hold(): Promise<AgentEnd> {
    const { job, around } = this.#needs;
    if (job.session && !(await putSession(job.cell, job.session))) return this.#lost();
    const stop = () => this.#program?.stopNow();
    around.stop.addEventListener('abort', stop);
    try {
      await Promise.race([this.#listen(), this.#left()]);
    } finally {
      around.stop.removeEventListener('abort', stop);
      this.#goodbye.abort();
      this.#program?.stopNow();
    }
    const end = await this.#program?.ended;
    return { ...this.#ending(end), turns: this.#answers.size, session: await this.#session() };
  }

  async #listen(): Promise<void> {
    const { sdk, job } = this.#needs;
    try {
      for await (const message of sdk.query({
        prompt: job.prompt.task,
        options: this.#options(),
      })) {
        this.#take(message);
      }
    } catch (error) {
      // The SDK throws for whatever its program said or did; the ending says what that was.
      this.#fault = error;
    }
  }

  #take(message: unknown): void {
    this.#verdict = judge(this.#verdict, message);
    const { answer, entries } = hear(message);
    if (answer !== null) this.#answers.add(answer);
    for (const each of entries) this.#tell(each);
  }

  /** A program that never stops to talk is not listened to for ever. */
  #tell(said: TranscriptEntry): void {
    this.#entries += 1;
    if (this.#entries < MOST_ENTRIES) this.#needs.around.said(said);
    if (this.#entries === MOST_ENTRIES) this.#needs.around.said(entry('hall', NO_LONGER));
  }

  /** Settles a little after the program is gone, whether or not its last words were understood. */
  async #left(): Promise<void> {
    const program = await this.#started.promise;
    await program.ended;
    await pause(LAST_WORDS);
  }

  #options(): Options {
    const { sdk, job, around, path, retries } = this.#needs;
    const { cell, mayWrite, session } = job;
    const env = {
      ...environmentFor(cell, job.modelToken),
      CLAUDE_CODE_MAX_RETRIES: String(retries),
    };
    const ends = () => this.#sayGoodbye();
    return {
      pathToClaudeCodeExecutable: path,
      spawnClaudeCodeProcess: (options) => {
        this.#program = startProgram({ cell, env, inside: job.inside }, options);
        this.#started.resolve(this.#program);
        if (around.stop.aborted) this.#program.stopNow();
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
      tools: toolsFor(mayWrite),
      mcpServers: { [HALL]: serveHallTools({ sdk, around, ends }, job.tools) },
      hooks: {
        PreToolUse: [gateFor({ around, mayWrite })],
        PostToolUse: [{ hooks: [async () => (this.#isOver ? NO_MORE : {})] }],
      },
      ...(session ? { resume: this.#id } : { sessionId: this.#id }),
    };
  }

  /** The program is asked to stop after this call, and made to if it does not. */
  #sayGoodbye(): void {
    this.#isOver = true;
    const { signal } = this.#goodbye;
    pause(GOODBYE, undefined, { signal }).then(
      () => this.#program?.stopNow(),
      () => undefined,
    );
  }

  #ending(end: CellEnd | undefined): Ending | { readonly how: 'aborted' } {
    if (this.#needs.around.stop.aborted) return { how: 'aborted' };
    if (this.#isOver) return { how: 'stopped' };
    const cut = this.#program?.cutOff() ?? null;
    const said = this.#verdict.ending;
    if (cut === null && said) return this.#resumable(said);
    const because = cut ?? crashOf(end, this.#program, this.#fault);
    this.#needs.around.said(entry('error', because));
    const isLost = this.#needs.job.session !== null && this.#answers.size === 0 && cut === null;
    const crash = isLost ? 'session_lost' : 'crashed';
    return { how: 'failed', why: end?.limit ? 'limit' : crash, because, resetsAt: null };
  }

  /** A model that refuses the very first call of a resumed conversation refuses its history. */
  #resumable(said: Ending): Ending {
    const isHistory = this.#needs.job.session !== null && this.#answers.size === 0;
    if (!isHistory || said.how !== 'failed' || said.why !== 'refused') return said;
    return { ...said, why: 'session_lost' };
  }

  #lost(): AgentEnd {
    const because = `the conversation ${this.#id} could not be put into the cell`;
    return { how: 'failed', why: 'session_lost', because, resetsAt: null, turns: 0, session: null };
  }

  async #session(): Promise<Session | null> {
    return this.#program ? takeSession(this.#needs.job.cell, this.#id) : null;
  }
}

const MOST_ENTRIES = 20_000;
const NO_LONGER = 'the agent says more than a transcript keeps; the rest is left out';
const NO_MORE = { continue: false, stopReason: 'the run is over' };

function crashOf(end: CellEnd | undefined, program: Program | undefined, fault: unknown): string {
  const complaints = program?.complaints() ?? '';
  const said = complaints === '' ? '' : `: ${complaints.slice(-1_000)}`;
  if (end?.limit)
    return `the agent's program ran into its limit of ${nameOfLimit(end.limit)}${said}`;
  if (end && end.code !== 0)
    return `the agent's program ended with ${end.code ?? end.signal}${said}`;
  const because = fault instanceof Error ? fault.message.slice(0, 1_000) : 'it said nothing';
  return `the agent's program ended without a result: ${because}${said}`;
}
