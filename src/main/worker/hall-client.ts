import type { Brief as BriefIn } from '../../api/briefs.ts';
import type { Client } from '../../api/client.ts';
import { delay } from '../../api/delay.ts';
import { limitsFrom } from '../../api/limits.ts';
import type { OperationArguments, OperationResult } from '../../api/operation.ts';
import { HallUnreachable, ProblemReceived } from '../../api/problem-received.ts';
import type { OperationId } from '../../api/routes.ts';
import type { Brief } from '../../domain/brief.ts';
import type { Isolation } from '../../domain/project.ts';
import {
  type BriefedRun,
  type CommandCall,
  type HallClient,
  HallUnresponsive,
  LeaseLost,
  RequestRefused,
  type RunLease,
  type ToolPermission,
  WorkerDismissed,
} from '../../ports/hall-client.ts';
import { reportBody } from './report-body.ts';

interface Needs {
  readonly client: Client;
  /** The id that the hall assigned, such as `w-7`. */
  readonly worker: string;
  /** Milliseconds for which the hall may be unreachable before the worker gives up. */
  readonly patience: number;
  readonly monotonic: () => number;
  /** Called after a claim without a task, because the hall may have new orders. */
  readonly idle: () => Promise<void>;
}

/** The hall over its API. Retries each call under the same idempotency key until the hall answers. */
export function createHallClient(needs: Needs): HallClient {
  const { worker } = needs;
  const ask = createAsking(needs);
  const about = ({ run }: RunLease) => ({ path: { id: run } });
  const go = async (because: string, how: 'left' | 'crashed') => {
    const said = because.replaceAll('\0', ' ').slice(0, MAX_WORDS).toWellFormed();
    const query = { because: said, how };
    await needs.client.call('dismissWorker', { path: { id: worker }, query });
  };

  return {
    async claim(wait_seconds, signal) {
      const body = { worker, wait_seconds };
      const claim = await ask('claimTask', { body, signal }).catch((fault: unknown) => {
        if (signal.aborted) return undefined;
        throw fault;
      });
      if (!claim?.run) {
        if (!signal.aborted) await needs.idle();
        return null;
      }
      const { run, fence, task } = claim;
      const { id, skill, project } = task;
      return { run, fence, task: id, skill, project };
    },

    async brief(held) {
      return assigned(await ask('getBrief', about(held)));
    },
    async start(held) {
      await ask('startRun', { ...about(held), body: { fence: held.fence } });
    },
    async log(held, entries) {
      await ask('logRun', { ...about(held), body: { fence: held.fence, entries: [...entries] } });
    },
    async note(held, text) {
      await ask('noteRun', { ...about(held), body: { fence: held.fence, text } });
    },
    checkToolCall: (held, look, stop) => judge({ ask, held, look, stop }),
    async keepSession(held, session) {
      await ask('keepSession', { ...about(held), body: { fence: held.fence, ...session } });
    },
    async ask(held, question, session) {
      await ask('askRun', { ...about(held), body: { fence: held.fence, question, session } });
    },
    async confirm(held) {
      const { run, fence } = held;
      const told = await ask('beatWorker', { path: { id: worker }, body: { run, fence } });
      if (told.orders === 'stop')
        throw new LeaseLost(told.reason ?? `${run} no longer belongs to this worker`);
    },
    async report(held, said) {
      await ask('reportRun', { ...about(held), body: { fence: held.fence, ...reportBody(said) } });
    },
    deregister: (because) => go(because, 'left'),
    fail: (because) => go(because, 'crashed'),
  };
}

interface Judging {
  readonly ask: ReturnType<typeof createAsking>;
  readonly held: RunLease;
  readonly look: () => CommandCall;
  readonly stop: AbortSignal;
}

/** After a person's answer, asks the hall again; that request consumes the approval. */
async function judge({ ask, held, look, stop }: Judging): Promise<ToolPermission> {
  for (;;) {
    const body = { fence: held.fence, ...look() };
    const answer = await ask('callTool', { path: { id: held.run }, body });
    if (answer.verdict === 'accept') return { may: true };
    if (answer.verdict === 'deny' || answer.approval === null) {
      return { may: false, because: answer.because };
    }
    await answered(ask, answer.approval, stop);
  }
}

const WAIT_FOR_PERSON = 30;

async function answered(ask: Judging['ask'], approval: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const asked = { path: { id: approval }, query: { wait_seconds: WAIT_FOR_PERSON }, signal };
    const { state } = await ask('getApproval', asked);
    if (state !== 'open') return;
  }
}

const REST = 500;
const MAX_WORDS = 500;

/** Patience applies to the hall, not to one call; waiting calls share it. */
function createAsking({ client, patience, monotonic }: Needs) {
  let silent: { readonly since: number; readonly fault: unknown } | null = null;
  return async <Op extends OperationId>(
    operation: Op,
    asked: NonNullable<OperationArguments<Op>[0]>,
  ): Promise<OperationResult<Op>> => {
    const idempotencyKey = crypto.randomUUID();
    const input = [{ ...asked, idempotencyKey }] as unknown as OperationArguments<Op>;
    for (;;) {
      if (silent && monotonic() - silent.since > patience) {
        throw new HallUnresponsive(`the hall did not answer for ${patience / 1_000} s`, {
          cause: silent.fault,
        });
      }
      try {
        const answer = (await client.call(operation, ...input)) as OperationResult<Op>;
        silent = null;
        return answer;
      } catch (fault) {
        if (!isPassing(fault)) {
          silent = null;
          throw translated(fault);
        }
        silent ??= { since: monotonic(), fault };
        await delay(REST, undefined);
      }
    }
  };
}

/** A hall that is restarting, taking over or waiting for its database will soon answer again. */
function isPassing(fault: unknown): boolean {
  if (fault instanceof HallUnreachable) return true;
  return fault instanceof ProblemReceived && fault.status >= 500;
}

const LOST: readonly string[] = ['stale_fence', 'not_your_run', 'unknown_run'];
const GONE: readonly string[] = ['unauthenticated', 'worker_dismissed', 'unknown_worker'];

function translated(fault: unknown): unknown {
  if (!(fault instanceof ProblemReceived)) return fault;
  const { code } = fault;
  if (LOST.includes(code)) return new LeaseLost(fault.message, { cause: fault });
  if (GONE.includes(code)) return new WorkerDismissed(fault.message, { cause: fault });
  return new RequestRefused(fault.message, { cause: fault });
}

function assigned({ session, ...told }: BriefIn): BriefedRun {
  const { agent, cell, prompt } = told;
  const brief: Brief = {
    repo: told.repo,
    base: told.base,
    branch: told.branch,
    head: told.head,
    writes: told.writes,
    agent: {
      instance: agent.instance,
      slug: agent.slug,
      model: agent.model,
      maxTurns: agent.max_turns,
      backend: agent.command ? { kind: 'command', argv: agent.command } : { kind: 'claude' },
      git: agent.git,
      gpgKey: agent.gpg_key,
      coAuthor: agent.co_author,
    },
    cell: {
      ...cell,
      isolation: cell.isolation as Isolation | null,
      limits: limitsFrom(cell.limits),
    },
    prompt: { ...prompt, repository: [] },
  };
  return { brief, session };
}
