import type { Brief } from '../domain/brief.ts';
import { assemblePrompt, type Passage } from '../domain/prompt.ts';
import { MEMORY, MOST_MEMORY, offeredMemory } from '../domain/repository-memory.ts';
import type { Size } from '../domain/size.ts';
import type { AgentEnd, AgentJob, Around, Session, ToolCall } from '../ports/agent.ts';
import { type Assignment, LeaseLost } from '../ports/desk.ts';
import { conclude, failed, keep, type Outcome } from './conclude.ts';
import { Declaration } from './declaration.ts';
import { hallToolsFor } from './hall-tools.ts';
import { judgeCall } from './judge-call.ts';
import type { WorkerNeeds } from './needs.ts';
import { type Scene, setScene } from './scene.ts';
import { setUp } from './set-up.ts';
import { Transcript } from './transcript.ts';

/** Does one task from the claim to the report. Throws what makes the worker give the task back. */
export async function runTask(
  needs: WorkerNeeds,
  assignment: Assignment,
  stop: AbortController,
): Promise<void> {
  const { desk, clock } = needs;
  const { brief, session } = await desk.brief(assignment);
  const secrets: string[] = [];
  const transcript = new Transcript({
    clock,
    secrets,
    send: (entries) => desk.log(assignment, entries),
  });
  await desk.start(assignment);
  const stale = () => stop.abort(new LeaseLost(`${assignment.run} is not ours any more`));
  try {
    await using scene = await setScene(needs, { assignment, brief, transcript, stale });
    secrets.push(scene.gateway.token);
    const run = { assignment, brief, scene, transcript, stop: stop.signal };
    const wrong = await setUp(needs, { ...run, cell: scene.cell });
    stop.signal.throwIfAborted();
    if (wrong !== undefined) {
      await desk.report(assignment, failed(wrong));
      return;
    }
    scene.holdsWork(true);
    const outcome = await letWork(needs, run, session);
    if (stop.signal.aborted) await keep({ ...run, ...outcome });
    stop.signal.throwIfAborted();
    await transcript.flush();
    await conclude(needs, { ...run, ...outcome });
  } finally {
    await transcript.flush();
  }
}

interface Running {
  readonly assignment: Assignment;
  readonly brief: Brief;
  readonly scene: Scene;
  readonly transcript: Transcript;
  readonly stop: AbortSignal;
}

/** A conversation that cannot be gone on with is begun afresh, once. */
async function letWork(
  needs: WorkerNeeds,
  run: Running,
  session: Session | null,
): Promise<Outcome> {
  const first = await work(needs, run, session);
  const isLost = first.end.how === 'failed' && first.end.why === 'session_lost';
  if (!isLost || session === null) return judged(run, first);
  const text = 'the conversation of the last run could not be gone on with; a fresh one begins';
  run.transcript.say({ kind: 'hall', text });
  needs.log.warn('conversation lost', { run: run.assignment.run });
  return judged(run, await work(needs, run, null));
}

async function work(needs: WorkerNeeds, run: Running, session: Session | null): Promise<Outcome> {
  const { assignment, brief, scene, transcript, stop } = run;
  const tools = hallToolsFor(assignment.skill);
  const declaration = new Declaration({
    skill: assignment.skill,
    size: brief.prompt.task.size as Size,
    tools,
    note: (text) => needs.desk.note(assignment, text),
    progress: (text) => transcript.say({ kind: 'hall', text: `progress: ${text}` }),
  });
  const job: AgentJob = {
    cell: scene.cell,
    prompt: await promptFor(brief, scene),
    model: brief.agent.model,
    maxTurns: brief.agent.maxTurns,
    modelToken: scene.gateway.token,
    session,
    inside: scene.inside,
    mayWrite: brief.writes,
    tools,
  };
  const around: Around = {
    may: (call: ToolCall) => judgeCall(needs, run, call),
    use: (tool, input) => declaration.use(tool, input),
    said: (entry) => transcript.say(entry),
    stop,
  };
  const end = await needs.runnerFor(brief.agent.backend).run(job, around);
  return { end, declared: declaration.declared };
}

/** The gateway saw what became of the model calls; what the agent's program says about them may be forged. */
function judged({ scene, transcript }: Running, { end, declared }: Outcome): Outcome {
  const { lastFailure, resetsAt } = scene.gateway.seen;
  const isLimit = end.how === 'failed' && end.why === 'limit';
  if (declared || end.how === 'aborted' || isLimit) return { end, declared };
  if (lastFailure === null) {
    if (!isUnseen(end)) return { end, declared };
    const because = `it said of the model what was not seen to happen: ${end.because}`;
    transcript.say({ kind: 'error', text: because });
    return { end: { ...end, why: 'crashed', because, resetsAt: null }, declared };
  }
  const because = end.how === 'failed' ? end.because : `the model calls ended in ${lastFailure}`;
  transcript.say({ kind: 'error', text: because });
  const told: AgentEnd = {
    turns: end.turns,
    session: end.session,
    how: 'failed',
    why: REASONS[lastFailure],
    because:
      lastFailure === 'ceiling' ? 'the run reached the ceiling of what it may cost' : because,
    resetsAt,
  };
  return { end: told, declared };
}

type Failed = Extract<AgentEnd, { how: 'failed' }>;

/**
 * Its program says that the model could not be asked, and every call was answered. Whoever says so may
 * only want the task to wait for ever, so it counts as a loss.
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

/** What the repository says to agents is read from the commit the work is compared with, never from the work. */
const NOTES = ['CLAUDE.md', 'AGENTS.md'];
const MOST_NOTES = 32_000;

async function promptFor(brief: Brief, { cell, mirror, base, start }: Scene) {
  const commit = (await mirror.tip(base)) ?? start;
  const repository: Passage[] = [];
  const offer = (path: string, text: string | null) => {
    if (text === null) return;
    repository.push({ source: `${path} of ${base}`, author: 'the repository', text });
  };
  for (const path of NOTES) offer(path, await mirror.read(commit, path, MOST_NOTES));
  const memory = await mirror.read(commit, MEMORY, MOST_MEMORY);
  offer(MEMORY, memory && offeredMemory(memory));
  const { prompt } = brief;
  const words = { ...prompt.words, work: cell.paths.work, base };
  return assemblePrompt({ ...prompt, words, task: { ...prompt.task, base }, repository });
}
