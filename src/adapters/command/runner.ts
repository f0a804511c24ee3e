import { nameOfLimit } from '../../domain/project.ts';
import type { AgentEnd, AgentJob, AgentRunner, RunCallbacks } from '../../ports/agent.ts';
import type { CellEnd, CellProcess } from '../../ports/cell.ts';
import { environmentFor } from './environment.ts';
import { forEachLine } from './lines.ts';
import { applyResult, resultPath } from './result.ts';

interface CommandRunnerSettings {
  /** Its name in the configuration. */
  readonly name: string;
  readonly command: readonly [program: string, ...rest: string[]];
  /** Paths of the host that the program needs to read. */
  readonly readable?: readonly string[];
}

/**
 * Any agent that is a command: it reads its prompt from stdin, works in its current folder and writes
 * its result to a file. Its tools are its own, so only the isolation of the cell confines it.
 */
export function createCommandRunner(settings: CommandRunnerSettings): AgentRunner {
  return {
    name: settings.name,
    missing: null,
    readable: settings.readable ?? [],
    async run(job, callbacks) {
      if (callbacks.stop.aborted) return { how: 'aborted', ...NO_WORK };
      if (job.session !== null) return sessionLost(settings.name);
      return work(settings, job, callbacks);
    },
  };
}

const NO_WORK = { turns: 0, session: null } as const;

function sessionLost(name: string): AgentEnd {
  const because = `${name} keeps no sessions, so none can be resumed`;
  return { how: 'failed', why: 'session_lost', because, resetsAt: null, ...NO_WORK };
}

async function work(
  { command }: CommandRunnerSettings,
  job: AgentJob,
  callbacks: RunCallbacks,
): Promise<AgentEnd> {
  const child = job.cell.start({ argv: command, env: environmentFor(job, resultPath(job.cell)) });
  const stop = () => child.kill();
  callbacks.stop.addEventListener('abort', stop);
  try {
    child.stdin.write(`${job.prompt.system}\n\n${job.prompt.task}\n`);
    child.stdin.end();
    const stderrTail = await recordOutput(child, callbacks);
    const end = await child.ended;
    if (callbacks.stop.aborted) return { how: 'aborted', ...NO_WORK };
    return { ...(await endingOf({ job, callbacks, end, stderrTail })), turns: 1, session: null };
  } finally {
    callbacks.stop.removeEventListener('abort', stop);
    child.kill();
  }
}

/** Returns the end of its stderr. */
async function recordOutput(
  { stdout, stderr }: CellProcess,
  callbacks: RunCallbacks,
): Promise<string> {
  let stderrTail = '';
  await Promise.all([
    forEachLine(stdout, (text) => callbacks.record({ kind: 'agent', text })),
    forEachLine(stderr, (text) => {
      stderrTail = `${stderrTail}\n${text}`.slice(-STDERR_TAIL);
      callbacks.record({ kind: 'error', text });
    }),
  ]);
  return stderrTail.trim();
}

const STDERR_TAIL = 1_000;

interface EndedCommand {
  readonly job: AgentJob;
  readonly callbacks: RunCallbacks;
  readonly end: CellEnd;
  readonly stderrTail: string;
}

type Ending = { readonly how: 'stopped' } | Failure;
type Failure = Pick<Extract<AgentEnd, { how: 'failed' }>, 'how' | 'why' | 'because' | 'resetsAt'>;

/** Exit codes with a meaning, from sysexits.h: try later, and not allowed. */
const REASON_BY_EXIT_CODE: Readonly<Record<number, Failure['why']>> = {
  69: 'overloaded',
  75: 'quota',
  77: 'auth',
};

async function endingOf({ job, callbacks, end, stderrTail }: EndedCommand): Promise<Ending> {
  if (end.code !== 0) {
    const details = stderrTail === '' ? '' : `: ${stderrTail}`;
    if (end.limit) {
      return failure('limit', `the command reached its ${nameOfLimit(end.limit)} limit${details}`);
    }
    const how = `ended with ${end.code === null ? end.signal : `exit code ${end.code}`}`;
    return failure(
      REASON_BY_EXIT_CODE[end.code ?? -1] ?? 'crashed',
      `the command ${how}${details}`,
    );
  }
  const reason = await applyResult(job, callbacks);
  return reason === undefined ? { how: 'stopped' } : failure('crashed', reason);
}

function failure(why: Failure['why'], because: string): Failure {
  return { how: 'failed', why, because, resetsAt: null };
}
