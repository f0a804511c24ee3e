import { nameOfLimit } from '../../domain/project.ts';
import type { AgentEnd, AgentJob, AgentRunner, Around } from '../../ports/agent.ts';
import type { CellEnd, CellProcess } from '../../ports/cell.ts';
import { environmentFor } from './environment.ts';
import { passLines } from './lines.ts';
import { resultPath, takeResult } from './result.ts';

interface CommandRunnerSettings {
  /** How it is called in the configuration. */
  readonly name: string;
  readonly command: readonly [program: string, ...rest: string[]];
  /** Paths of the host that the program needs to read. */
  readonly readable?: readonly string[];
}

/**
 * Any agent that is a command: it reads its prompt from stdin, works in the folder it is started in and
 * writes what came of it to a file. Its tools are its own, so the walls of the cell are all that holds it.
 */
export function createCommandRunner(settings: CommandRunnerSettings): AgentRunner {
  return {
    name: settings.name,
    missing: null,
    readable: settings.readable ?? [],
    async run(job, around) {
      if (around.stop.aborted) return { how: 'aborted', ...NOTHING };
      if (job.session !== null) return lost(settings.name);
      return work(settings, job, around);
    },
  };
}

const NOTHING = { turns: 0, session: null } as const;

function lost(name: string): AgentEnd {
  const because = `${name} keeps no conversations, so there is none to go on with`;
  return { how: 'failed', why: 'session_lost', because, resetsAt: null, ...NOTHING };
}

async function work(
  { command }: CommandRunnerSettings,
  job: AgentJob,
  around: Around,
): Promise<AgentEnd> {
  const child = job.cell.start({ argv: command, env: environmentFor(job, resultPath(job.cell)) });
  const stop = () => child.kill();
  around.stop.addEventListener('abort', stop);
  try {
    child.stdin.write(`${job.prompt.system}\n\n${job.prompt.task}\n`);
    child.stdin.end();
    const complaints = await listen(child, around);
    const end = await child.ended;
    if (around.stop.aborted) return { how: 'aborted', ...NOTHING };
    return { ...(await ending({ job, around, end, complaints })), turns: 1, session: null };
  } finally {
    around.stop.removeEventListener('abort', stop);
    child.kill();
  }
}

/** Answers with the end of what it wrote to stderr. */
async function listen({ stdout, stderr }: CellProcess, around: Around): Promise<string> {
  let complaints = '';
  await Promise.all([
    passLines(stdout, (text) => around.said({ kind: 'agent', text })),
    passLines(stderr, (text) => {
      complaints = `${complaints}\n${text}`.slice(-KEPT);
      around.said({ kind: 'error', text });
    }),
  ]);
  return complaints.trim();
}

const KEPT = 1_000;

interface Ended {
  readonly job: AgentJob;
  readonly around: Around;
  readonly end: CellEnd;
  readonly complaints: string;
}

type Ending = { readonly how: 'stopped' } | Failing;
type Failing = Pick<Extract<AgentEnd, { how: 'failed' }>, 'how' | 'why' | 'because' | 'resetsAt'>;

/** Exit codes with a meaning are those of sysexits.h: try later, and not allowed. */
const WHYS: Readonly<Record<number, Failing['why']>> = {
  69: 'overloaded',
  75: 'quota',
  77: 'auth',
};

async function ending({ job, around, end, complaints }: Ended): Promise<Ending> {
  if (end.code !== 0) {
    const said = complaints === '' ? '' : `: ${complaints}`;
    if (end.limit) {
      return failing('limit', `the command ran into its limit of ${nameOfLimit(end.limit)}${said}`);
    }
    const how = `ended with ${end.code === null ? end.signal : `exit code ${end.code}`}`;
    return failing(WHYS[end.code ?? -1] ?? 'crashed', `the command ${how}${said}`);
  }
  const wrong = await takeResult(job, around);
  return wrong === undefined ? { how: 'stopped' } : failing('crashed', wrong);
}

function failing(why: Failing['why'], because: string): Failing {
  return { how: 'failed', why, because, resetsAt: null };
}
