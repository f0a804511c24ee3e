import type { Brief as BriefIn } from '../../api/briefs.ts';
import type { Client } from '../../api/client.ts';
import { delay } from '../../api/delay.ts';
import { limitsFrom } from '../../api/limits.ts';
import type { OperationArguments, OperationResult } from '../../api/operation.ts';
import { HallUnreachable, ProblemReceived } from '../../api/problem-received.ts';
import type { OperationId } from '../../api/routes.ts';
import type { Brief } from '../../domain/brief.ts';
import type { Env } from '../../domain/env.ts';
import type { Isolation } from '../../domain/project.ts';
import { createRedactor } from '../../domain/redaction.ts';
import {
  type Assignment,
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
import type { Repository } from '../../ports/workspace.ts';
import { reportBody } from './report-body.ts';

interface Needs {
  readonly client: Client;
  /** The hall's address, and the worker's token; null where the hall asks for none. */
  readonly url: string;
  readonly token: string | null;
  /** The id that the hall assigned, such as `w-7`. */
  readonly worker: string;
  /** Milliseconds for which the hall may be unreachable before the worker gives up. */
  readonly patience: number;
  readonly monotonic: () => number;
  /** Called after a claim without a task, because the hall may have new orders. */
  readonly idle: () => Promise<void>;
  /** What this worker must redact and refuse in diffs; secrets of a run are added to it. */
  readonly secrets: Set<string>;
}

/** The hall over its API. Retries each call under the same idempotency key until the hall answers. */
export function createHallClient(needs: Needs): HallClient {
  const { worker } = needs;
  const call = createCaller(needs);
  const redact = createRedactor(() => needs.secrets);

  return {
    async claim(wait_seconds, signal) {
      const body = { worker, wait_seconds };
      const claim = await call('claimTask', { body, signal }).catch((fault: unknown) => {
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

    async brief(lease) {
      return assigned(await call('getBrief', { path: { id: lease.run } }));
    },
    repository: (assignment, repo) => repositoryThrough(needs, assignment, repo),
    async secrets(lease) {
      return kept(needs, await call('getRunSecrets', onRun(lease, {})));
    },
    async start(lease) {
      await call('startRun', onRun(lease, {}));
    },
    async log(lease, entries) {
      await call('logRun', onRun(lease, { entries: [...entries] }));
    },
    async note(lease, text) {
      await call('noteRun', onRun(lease, { text: redact(text) }));
    },
    checkToolCall: (lease, describe, stop) => judge({ call, lease, describe, stop }),
    async saveSession(lease, session) {
      await call('saveSession', onRun(lease, session));
    },
    async ask(lease, question, session) {
      await call('askQuestion', onRun(lease, { question: redact(question), session }));
    },
    async confirm(lease) {
      const { run, fence } = lease;
      const reply = await call('sendHeartbeat', { path: { id: worker }, body: { run, fence } });
      if (reply.orders === 'stop')
        throw new LeaseLost(reply.reason ?? `${run} no longer belongs to this worker`);
    },
    async report(lease, report) {
      await call('reportRun', onRun(lease, reportBody(redact(report))));
    },
    deregister: (because) => dismiss(needs, redact(because), 'left'),
    fail: (because) => dismiss(needs, redact(because), 'crashed'),
  };
}

function onRun<B extends object>({ run, fence }: RunLease, body: B) {
  return { path: { id: run }, body: { fence, ...body } };
}

/** Git sends the run and its fence as the user name, and the worker's token as the password. */
function repositoryThrough(
  { url, token }: Needs,
  { run, fence, project }: Assignment,
  repo: string,
): Repository {
  const credential = `${run}.${fence}:${token ?? ''}`;
  return { url: `${url}/git/${project}.git`, credential, name: repo };
}

/** Remembers secrets to redact. */
function kept({ secrets }: Needs, { env }: { readonly env: Env }): Env {
  for (const value of Object.values(env)) secrets.add(value);
  return env;
}

async function dismiss(
  { client, worker }: Needs,
  because: string,
  how: 'left' | 'crashed',
): Promise<void> {
  const reason = because.replaceAll('\0', ' ').slice(0, MAX_REASON).toWellFormed();
  await client.call('dismissWorker', { path: { id: worker }, query: { because: reason, how } });
}

interface Judging {
  readonly call: ReturnType<typeof createCaller>;
  readonly lease: RunLease;
  readonly describe: () => CommandCall;
  readonly stop: AbortSignal;
}

/** After a person's answer, asks the hall again; that request consumes the approval. */
async function judge({ call, lease, describe, stop }: Judging): Promise<ToolPermission> {
  for (;;) {
    const body = { fence: lease.fence, ...describe() };
    const answer = await call('callTool', { path: { id: lease.run }, body });
    if (answer.verdict === 'accept') return { may: true };
    if (answer.verdict === 'deny' || answer.approval === null) {
      return { may: false, because: answer.because };
    }
    await answered(call, answer.approval, stop);
  }
}

const WAIT_FOR_PERSON = 30;

async function answered(
  call: Judging['call'],
  approval: string,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const request = { path: { id: approval }, query: { wait_seconds: WAIT_FOR_PERSON }, signal };
    const { state } = await call('getApproval', request);
    if (state !== 'open') return;
  }
}

const RETRY_AFTER = 500;
const MAX_REASON = 500;

/** Patience applies to the hall, not to one call; waiting calls share it. */
function createCaller({ client, patience, monotonic }: Needs) {
  let silent: { readonly since: number; readonly fault: unknown } | null = null;
  return async <Op extends OperationId>(
    operation: Op,
    request: NonNullable<OperationArguments<Op>[0]>,
  ): Promise<OperationResult<Op>> => {
    const idempotencyKey = crypto.randomUUID();
    const input = [{ ...request, idempotencyKey }] as unknown as OperationArguments<Op>;
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
        if (!isTransient(fault)) {
          silent = null;
          throw translated(fault);
        }
        silent ??= { since: monotonic(), fault };
        await delay(RETRY_AFTER, undefined);
      }
    }
  };
}

/** A hall that is restarting, taking over or waiting for its database will soon answer again. */
function isTransient(fault: unknown): boolean {
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

function assigned({ session, ...fields }: BriefIn): BriefedRun {
  const { agent, cell, prompt } = fields;
  const brief: Brief = {
    repo: fields.repo,
    base: fields.base,
    branch: fields.branch,
    head: fields.head,
    writes: fields.writes,
    agent: {
      instance: agent.instance,
      slug: agent.slug,
      model: agent.model,
      maxTurns: agent.max_turns,
      allowedTools: agent.allowed_tools,
      mcpServers: agent.mcp_servers.map(({ name, command, url }) =>
        command ? { name, command } : { name, url: url ?? '' },
      ),
      backend: agent.command ? { kind: 'command', argv: agent.command } : { kind: 'claude' },
      needsModel: agent.needs_model,
      secretEnv: agent.secret_env,
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
