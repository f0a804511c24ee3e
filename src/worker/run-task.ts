import type { Brief } from '../domain/brief.ts';
import type { Env } from '../domain/env.ts';
import { assemblePrompt, type Passage } from '../domain/prompt.ts';
import { MAX_MEMORY, MEMORY_FILE, memoryForPrompt } from '../domain/repository-memory.ts';
import type { Size } from '../domain/size.ts';
import type { AgentEnd, AgentJob, RunCallbacks, Session, ToolCall } from '../ports/agent.ts';
import { type Assignment, LeaseLost } from '../ports/hall-client.ts';
import { checkToolCall } from './check-tool-call.ts';
import { type AgentOutcome, failureReport, finishRun, rescueWork } from './finish-run.ts';
import { HallToolCalls } from './hall-tool-calls.ts';
import { hallToolsFor } from './hall-tools.ts';
import type { WorkerNeeds } from './needs.ts';
import { prepareRunEnvironment, type RunEnvironment } from './run-environment.ts';
import { runSetup } from './run-setup.ts';
import { Transcript } from './transcript.ts';

/** Runs one task from the claim to the report. Throws faults for which the worker gives the task back. */
export async function runTask(
  needs: WorkerNeeds,
  assignment: Assignment,
  stop: AbortController,
): Promise<void> {
  const { hall: hallClient, clock } = needs;
  const { brief, session } = await hallClient.brief(assignment);
  const secrets: string[] = [];
  const transcript = new Transcript({
    clock,
    secrets,
    send: (entries) => hallClient.log(assignment, entries),
  });
  await hallClient.start(assignment);
  const stale = () =>
    stop.abort(new LeaseLost(`${assignment.run} no longer belongs to this worker`));
  try {
    await using environment = await prepareRunEnvironment(needs, {
      assignment,
      brief,
      transcript,
      stale,
    });
    secrets.push(environment.gateway.token);
    const secretEnv =
      brief.agent.secretEnv.length === 0 ? {} : await hallClient.secrets(assignment);
    secrets.push(...Object.values(secretEnv));
    const run = { assignment, brief, environment, secretEnv, transcript, stop: stop.signal };
    const failure = await runSetup(needs, { ...run, cell: environment.cell, env: environment.env });
    stop.signal.throwIfAborted();
    if (failure !== undefined) {
      await hallClient.report(assignment, failureReport(failure));
      return;
    }
    if (isPrepared(brief)) await environment.mirror.excludeUntracked(environment.cell);
    environment.holdsWork(true);
    const outcome = await runAgent(needs, run, session);
    if (stop.signal.aborted) await rescueWork({ ...run, ...outcome });
    stop.signal.throwIfAborted();
    await transcript.flush();
    await finishRun(needs, { ...run, ...outcome });
  } finally {
    await transcript.flush();
  }
}

/** The project puts files into a fresh work tree. */
function isPrepared({ cell: { setup, copy } }: Brief): boolean {
  return setup.length > 0 || copy.length > 0;
}

interface Running {
  readonly assignment: Assignment;
  readonly brief: Brief;
  readonly environment: RunEnvironment;
  readonly secretEnv: Env;
  readonly transcript: Transcript;
  readonly stop: AbortSignal;
}

/** Starts a fresh conversation, once, if the old one cannot be resumed. */
async function runAgent(
  needs: WorkerNeeds,
  run: Running,
  session: Session | null,
): Promise<AgentOutcome> {
  const first = await work(needs, run, session);
  const isLost = first.end.how === 'failed' && first.end.why === 'session_lost';
  if (!isLost || session === null) return judged(run, first);
  const text = 'the conversation of the last run could not be resumed; starting a new one';
  run.transcript.append({ kind: 'hall', text });
  needs.log.warn('conversation lost', { run: run.assignment.run });
  return judged(run, await work(needs, run, null));
}

async function work(
  needs: WorkerNeeds,
  run: Running,
  session: Session | null,
): Promise<AgentOutcome> {
  const { assignment, brief, environment, secretEnv, transcript, stop } = run;
  const tools = hallToolsFor(assignment.skill);
  const declaration = new HallToolCalls({
    skill: assignment.skill,
    size: brief.prompt.task.size as Size,
    tools,
    note: (text) => needs.hall.note(assignment, text),
    progress: (text) => transcript.append({ kind: 'hall', text: `progress: ${text}` }),
  });
  const job: AgentJob = {
    cell: environment.cell,
    env: { ...environment.env, ...secretEnv },
    prompt: await promptFor(brief, environment),
    model: brief.agent.model,
    maxTurns: brief.agent.maxTurns,
    modelToken: brief.agent.needsModel ? environment.gateway.token : null,
    session,
    inside: environment.inside,
    mayWrite: brief.writes,
    allowedTools: brief.agent.allowedTools,
    mcpServers: brief.agent.mcpServers,
    tools,
  };
  const callbacks: RunCallbacks = {
    authorize: (call: ToolCall) => checkToolCall(needs, run, call),
    callTool: (tool, input) => declaration.use(tool, input),
    record: (entry) => transcript.append(entry),
    stop,
  };
  const end = await needs.runnerFor(brief.agent.backend).run(job, callbacks);
  return { end, declared: declaration.declared };
}

/** Trusts the gateway about model calls, because the agent's program could forge failures. */
function judged(
  { environment, transcript }: Running,
  { end, declared }: AgentOutcome,
): AgentOutcome {
  const { lastFailure, resetsAt } = environment.gateway.modelCalls;
  const isLimit = end.how === 'failed' && end.why === 'limit';
  if (declared || end.how === 'aborted' || isLimit) return { end, declared };
  if (lastFailure === null) {
    if (!isUnseen(end)) return { end, declared };
    const because = `the agent reported a model failure that the gateway did not see: ${end.because}`;
    transcript.append({ kind: 'error', text: because });
    return { end: { ...end, why: 'crashed', because, resetsAt: null }, declared };
  }
  const because = end.how === 'failed' ? end.because : `the last model call failed: ${lastFailure}`;
  transcript.append({ kind: 'error', text: because });
  const corrected: AgentEnd = {
    turns: end.turns,
    session: end.session,
    how: 'failed',
    why: REASONS[lastFailure],
    because: lastFailure === 'ceiling' ? 'the run reached its cost limit (budget_usd)' : because,
    resetsAt,
  };
  return { end: corrected, declared };
}

type Failed = Extract<AgentEnd, { how: 'failed' }>;

/**
 * The program reports a model failure that the gateway did not see. It may only want the task to wait
 * forever, so the run counts as crashed.
 */
function isUnseen(end: AgentEnd): end is Failed {
  return end.how === 'failed' && end.why !== 'crashed' && end.why !== 'session_lost';
}

const REASONS = {
  quota: 'quota',
  auth: 'auth',
  overloaded: 'overloaded',
  ceiling: 'refused',
  stale_fence: 'refused',
  refused: 'refused',
  away: 'crashed',
} as const;

/** Instructions for agents are read from the commit that the work is compared with, never from the work. */
const NOTES = ['CLAUDE.md', 'AGENTS.md'];
const MAX_NOTES = 32_000;

async function promptFor(brief: Brief, { cell, mirror, base, start }: RunEnvironment) {
  const commit = (await mirror.tip(base)) ?? start;
  const repository: Passage[] = [];
  const offer = (path: string, text: string | null) => {
    if (text === null) return;
    repository.push({ source: `${path} of ${base}`, author: 'the repository', text });
  };
  for (const path of NOTES) offer(path, await mirror.read(commit, path, MAX_NOTES));
  const memory = await mirror.read(commit, MEMORY_FILE, MAX_MEMORY);
  offer(MEMORY_FILE, memory && memoryForPrompt(memory));
  const { prompt } = brief;
  const words = { ...prompt.words, work: cell.paths.work, base };
  return assemblePrompt({ ...prompt, words, task: { ...prompt.task, base }, repository });
}
