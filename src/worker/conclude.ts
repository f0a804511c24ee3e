import type { Brief } from '../domain/brief.ts';
import type { AgentEnd } from '../ports/agent.ts';
import type { Assignment, Desk, WorkReport } from '../ports/desk.ts';
import type { Finding, Harvest, Work } from '../ports/workspace.ts';
import type { Declared } from './declaration.ts';
import type { WorkerNeeds } from './needs.ts';
import type { Scene } from './scene.ts';

/** How it ended for the agent, and what it said itself. */
export interface Outcome {
  readonly end: AgentEnd;
  readonly declared: Declared | undefined;
}

interface Ending extends Outcome {
  readonly assignment: Assignment;
  readonly brief: Brief;
  readonly scene: Scene;
}

/** The agent's program died without a word; the task goes back to the board. */
class AgentCrashed extends Error {
  override readonly name = 'AgentCrashed';
}

/** Takes over what the agent made, and tells the hall how the run ended. */
export async function conclude(needs: WorkerNeeds, ending: Ending): Promise<void> {
  const { desk } = needs;
  const { declared, end, assignment } = ending;
  if (!declared && end.how === 'failed' && end.why === 'crashed') {
    await keep(ending);
    throw new AgentCrashed(`the agent's program died: ${end.because}`);
  }
  if (end.session) await desk.keepSession(assignment, end.session);
  if (declared?.how === 'asked') {
    await land(needs, ending);
    await desk.ask(assignment, declared.question, end.session?.id ?? null);
    return;
  }
  await desk.report(assignment, await reportOf(needs, ending));
}

async function reportOf(needs: WorkerNeeds, ending: Ending): Promise<WorkReport> {
  const { declared, brief, scene } = ending;
  if (!declared) return undeclared(ending, await land(needs, ending), needs.clock.now());
  if (declared.how === 'rejected') {
    await keep(ending);
    return { outcome: 'rejected', rejection: declared.rejection };
  }
  if (declared.how === 'asked') throw new Error('a question is no report');
  const { outcome, summary, details, verdict, agent, children } = declared;
  if (outcome === 'failed') {
    return { outcome, summary, details, ...nowhere(await land(needs, ending)) };
  }
  const said = { summary, details, verdict, agent, children };
  if (!brief.writes) return { ...said, outcome, branch: null, commit: scene.start };
  const landed = await land(needs, ending);
  return done(ending, landed, { ...said, outcome });
}

type Done = Extract<WorkReport, { readonly agent: unknown }>;

/** Only what was pushed counts: an agent that says it is done and changed nothing has not done it. */
function done(
  { brief, scene }: Ending,
  landed: Landed,
  said: Omit<Done, 'branch' | 'commit'>,
): WorkReport {
  switch (landed.is) {
    case 'landed': {
      const outcome = brief.head === null ? 'pr_created' : said.outcome;
      return { ...said, outcome, branch: brief.branch, commit: landed.commit };
    }
    case 'nothing':
      if (said.outcome === 'pr_created' && scene.expected === null) {
        return {
          ...failed('it reported a change, and nothing was changed'),
          details: said.details,
        };
      }
      return { ...said, outcome: outcomeOfNothing(brief, scene), ...left(brief, scene) };
    case 'kept':
      return { ...failed(landed.because), details: said.details };
  }
}

/** What a run pushed that was killed before it could say so is reported by the one after it. */
function outcomeOfNothing({ head }: Brief, { expected }: Scene): 'pr_created' | 'completed' {
  return head === null && expected !== null ? 'pr_created' : 'completed';
}

/** A branch that was there before stays what the thread shows. */
function left(brief: Brief, { expected }: Scene) {
  return expected === null
    ? { branch: null, commit: null }
    : { branch: brief.branch, commit: expected };
}

/** The agent ended without saying how, so the host works it out; what it made is kept, and never success. */
function undeclared({ end }: Ending, landed: Landed, now: number): WorkReport {
  switch (end.how) {
    case 'max_turns':
      return {
        ...failed('it used all its turns'),
        outcome: 'max_turns_exceeded',
        ...nowhere(landed),
      };
    case 'failed':
      if (end.why === 'quota') {
        return { outcome: 'quota_exceeded', summary: end.because, resetsAt: end.resetsAt };
      }
      if (end.why === 'limit') return { ...failed(end.because), ...nowhere(landed) };
      if (end.why === 'overloaded' || end.why === 'auth') {
        const resetsAt = end.resetsAt ?? now + A_LITTLE[end.why];
        return { outcome: 'quota_exceeded', summary: end.because, resetsAt };
      }
      return {
        ...failed(`the model could not be asked (${end.why}): ${end.because}`),
        ...nowhere(landed),
      };
    default:
      return { ...failed('the agent ended without saying how it went'), ...nowhere(landed) };
  }
}

/**
 * A provider that is overloaded or away does not say for how long; an hour would be too long to wait.
 * A key that was refused waits for a person, and it is not the fault of the tasks that came by meanwhile.
 */
const A_LITTLE = { overloaded: 3 * 60_000, auth: 15 * 60_000 } as const;

/** A report of what came to nothing. */
export function failed(summary: string) {
  return { outcome: 'failed', summary, details: null, branch: null, commit: null } as const;
}

function nowhere(landed: Landed) {
  return landed.is === 'landed'
    ? { branch: landed.branch, commit: landed.commit }
    : { branch: null, commit: null };
}

type Landed =
  | { readonly is: 'landed'; readonly branch: string; readonly commit: string }
  | { readonly is: 'nothing' }
  /** It did not leave, and why; the work is not lost. */
  | { readonly is: 'kept'; readonly because: string };

/** Pushes what the agent made to the thread's branch, after the hall confirmed that it is still ours to push. */
async function land(needs: WorkerNeeds, ending: Ending): Promise<Landed> {
  const { brief, scene, assignment } = ending;
  const harvest = await harvestOf(ending);
  if (harvest.is === 'nothing') return { is: 'nothing' };
  if (harvest.is === 'spoilt')
    return { is: 'kept', because: `its work could not be taken over: ${harvest.because}` };
  const blocking = harvest.findings.filter(({ blocks }) => blocks);
  if (blocking.length > 0) {
    return rescued(scene, harvest, `its work may not leave: ${listed(blocking).join('; ')}`);
  }
  await tellFindings(needs.desk, assignment, harvest.findings);
  await needs.desk.confirm(assignment);
  const pushed = await scene.mirror.push(harvest, {
    branch: brief.branch,
    expected: scene.expected,
  });
  switch (pushed.is) {
    case 'pushed':
      return { is: 'landed', branch: brief.branch, commit: pushed.commit };
    case 'moved':
      return rescued(scene, harvest, `${brief.branch} was moved by somebody else meanwhile`);
    case 'refused':
      return rescued(scene, harvest, `the push was refused: ${pushed.because}`);
  }
}

/** For endings after which nothing is pushed: commits are not thrown away. */
export async function keep(ending: Ending): Promise<void> {
  const harvest = await harvestOf(ending);
  if (harvest.is === 'work') await ending.scene.mirror.rescue(harvest);
}

async function harvestOf({ scene }: Ending): Promise<Harvest> {
  if (scene.plan === null) return { is: 'nothing' };
  const harvest = await scene.mirror.harvest(scene.cell, scene.plan);
  scene.holdsWork(harvest.is === 'spoilt');
  return harvest;
}

async function rescued(scene: Scene, work: Work, because: string): Promise<Landed> {
  const name = await scene.mirror.rescue(work);
  return { is: 'kept', because: `${because}; it is kept as ${name}` };
}

async function tellFindings(
  desk: Desk,
  assignment: Assignment,
  findings: readonly Finding[],
): Promise<void> {
  if (findings.length === 0) return;
  await desk.note(
    assignment,
    ['Worth a look before this is merged:', ...listed(findings)].join('\n- '),
  );
}

/** The hall takes only so many words, and would refuse all of them with the work. */
function listed(findings: readonly Finding[]): string[] {
  const more = findings.length - MOST_TOLD;
  const told = findings.slice(0, MOST_TOLD).map(spell);
  return more > 0 ? [...told, `and ${more} more`] : told;
}

const MOST_TOLD = 40;
const LONGEST_PATH = 250;

function spell({ path, because }: Finding): string {
  if (path === '') return because;
  return `${path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH).toWellFormed()}…` : path}: ${because}`;
}
