import type { Brief } from '../domain/brief.ts';
import type { AgentEnd } from '../ports/agent.ts';
import type { Assignment, HallClient, WorkReport } from '../ports/hall-client.ts';
import type { Finding, Harvest, Work } from '../ports/workspace.ts';
import type { DeclaredOutcome } from './hall-tool-calls.ts';
import type { WorkerNeeds } from './needs.ts';
import type { RunEnvironment } from './run-environment.ts';

/** How the agent ended, and the outcome it declared. */
export interface AgentOutcome {
  readonly end: AgentEnd;
  readonly declared: DeclaredOutcome | undefined;
}

interface Ending extends AgentOutcome {
  readonly assignment: Assignment;
  readonly brief: Brief;
  readonly environment: RunEnvironment;
}

/** The agent's program died without an outcome; the task goes back to the board. */
class AgentCrashed extends Error {
  override readonly name = 'AgentCrashed';
}

/** Harvests the agent's work and reports to the hall how the run ended. */
export async function finishRun(needs: WorkerNeeds, ending: Ending): Promise<void> {
  const { hall: hallClient } = needs;
  const { declared, end, assignment } = ending;
  if (!declared && end.how === 'failed' && end.why === 'crashed') {
    await rescueWork(ending);
    throw new AgentCrashed(`the agent's program crashed: ${end.because}`);
  }
  if (end.session) await hallClient.saveSession(assignment, end.session);
  if (declared?.how === 'asked') {
    await pushWork(needs, ending);
    await hallClient.ask(assignment, declared.question, end.session?.id ?? null);
    return;
  }
  await hallClient.report(assignment, await reportOf(needs, ending));
}

async function reportOf(needs: WorkerNeeds, ending: Ending): Promise<WorkReport> {
  const { declared, brief, environment } = ending;
  if (!declared) return undeclared(ending, await pushWork(needs, ending), needs.clock.now());
  if (declared.how === 'rejected') {
    await rescueWork(ending);
    return { outcome: 'rejected', rejection: declared.rejection };
  }
  if (declared.how === 'asked') throw new Error('a question is not a report');
  const { outcome, summary, details, verdict, agent, children } = declared;
  if (outcome === 'failed') {
    return { outcome, summary, details, ...pushedBranch(await pushWork(needs, ending)) };
  }
  const report = { summary, details, verdict, agent, children };
  if (!brief.writes) return { ...report, outcome, branch: null, commit: environment.start };
  const pushed = await pushWork(needs, ending);
  return done(ending, pushed, { ...report, outcome });
}

type Done = Extract<WorkReport, { readonly agent: unknown }>;

/** Only pushed work counts: an agent that reports a change without making one has failed. */
function done(
  { brief, environment }: Ending,
  pushed: PushOutcome,
  report: Omit<Done, 'branch' | 'commit'>,
): WorkReport {
  switch (pushed.is) {
    case 'pushed': {
      const outcome = brief.head === null ? 'pr_created' : report.outcome;
      return { ...report, outcome, branch: brief.branch, commit: pushed.commit };
    }
    case 'nothing':
      if (report.outcome === 'pr_created' && environment.expected === null) {
        return {
          ...failureReport('the agent reported a change but changed nothing'),
          details: report.details,
        };
      }
      return {
        ...report,
        outcome: outcomeOfNothing(brief, environment),
        ...existingBranch(brief, environment),
      };
    case 'kept':
      return { ...failureReport(pushed.because), details: report.details };
  }
}

/** If an earlier run pushed and died before its report, this run reports that push. */
function outcomeOfNothing(
  { head }: Brief,
  { expected }: RunEnvironment,
): 'pr_created' | 'completed' {
  return head === null && expected !== null ? 'pr_created' : 'completed';
}

/** The thread keeps showing a branch that existed before the run. */
function existingBranch(brief: Brief, { expected }: RunEnvironment) {
  return expected === null
    ? { branch: null, commit: null }
    : { branch: brief.branch, commit: expected };
}

/** The agent declared no outcome, so the host derives one. The work is kept, but never counts as success. */
function undeclared({ end }: Ending, pushed: PushOutcome, now: number): WorkReport {
  switch (end.how) {
    case 'max_turns':
      return {
        ...failureReport('the agent used all its turns'),
        outcome: 'max_turns_exceeded',
        ...pushedBranch(pushed),
      };
    case 'failed':
      if (end.why === 'quota') {
        return { outcome: 'quota_exceeded', summary: end.because, resetsAt: end.resetsAt };
      }
      if (end.why === 'limit') return { ...failureReport(end.because), ...pushedBranch(pushed) };
      if (end.why === 'overloaded' || end.why === 'auth') {
        const resetsAt = end.resetsAt ?? now + A_LITTLE[end.why];
        return { outcome: 'quota_exceeded', summary: end.because, resetsAt };
      }
      return {
        ...failureReport(`the model call failed (${end.why}): ${end.because}`),
        ...pushedBranch(pushed),
      };
    default:
      return { ...failureReport('the agent ended without a report'), ...pushedBranch(pushed) };
  }
}

/**
 * An overloaded or unreachable provider does not say for how long, and an hour would be too long to wait.
 * A refused key waits for a person; tasks that fail on it meanwhile are not at fault.
 */
const A_LITTLE = { overloaded: 3 * 60_000, auth: 15 * 60_000 } as const;

export function failureReport(summary: string) {
  return { outcome: 'failed', summary, details: null, branch: null, commit: null } as const;
}

function pushedBranch(pushed: PushOutcome) {
  return pushed.is === 'pushed'
    ? { branch: pushed.branch, commit: pushed.commit }
    : { branch: null, commit: null };
}

type PushOutcome =
  | { readonly is: 'pushed'; readonly branch: string; readonly commit: string }
  | { readonly is: 'nothing' }
  /** The work was not pushed and is not lost. */
  | { readonly is: 'kept'; readonly because: string };

/** Pushes the agent's work to the thread's branch, after the hall confirmed that the run is still ours. */
async function pushWork(needs: WorkerNeeds, ending: Ending): Promise<PushOutcome> {
  const { brief, environment, assignment } = ending;
  const harvest = await harvestOf(ending);
  if (harvest.is === 'nothing') return { is: 'nothing' };
  if (harvest.is === 'unusable')
    return {
      is: 'kept',
      because: `its work could not be collected from the cell: ${harvest.because}`,
    };
  const blocking = harvest.findings.filter(({ blocks }) => blocks);
  if (blocking.length > 0) {
    return rescued(
      environment,
      harvest,
      `its work must not be pushed: ${listed(blocking).join('; ')}`,
    );
  }
  await noteFindings(needs.hall, assignment, harvest.findings);
  await needs.hall.confirm(assignment);
  const pushed = await environment.mirror.push(harvest, {
    branch: brief.branch,
    expected: environment.expected,
  });
  switch (pushed.is) {
    case 'pushed':
      return { is: 'pushed', branch: brief.branch, commit: pushed.commit };
    case 'moved':
      return rescued(environment, harvest, `someone else updated ${brief.branch} in the meantime`);
    case 'refused':
      return rescued(environment, harvest, `the push was refused: ${pushed.because}`);
  }
}

/** Saves the commits of a run that ends without a push. */
export async function rescueWork(ending: Ending): Promise<void> {
  const harvest = await harvestOf(ending);
  if (harvest.is === 'work') await ending.environment.mirror.rescue(harvest);
}

async function harvestOf({ environment }: Ending): Promise<Harvest> {
  if (environment.plan === null) return { is: 'nothing' };
  const harvest = await environment.mirror.harvest(environment.cell, environment.plan);
  environment.holdsWork(harvest.is === 'unusable');
  return harvest;
}

async function rescued(
  environment: RunEnvironment,
  work: Work,
  because: string,
): Promise<PushOutcome> {
  const name = await environment.mirror.rescue(work);
  return { is: 'kept', because: `${because}; the work is kept as ${name}` };
}

async function noteFindings(
  hallClient: HallClient,
  assignment: Assignment,
  findings: readonly Finding[],
): Promise<void> {
  if (findings.length === 0) return;
  await hallClient.note(assignment, ['Check before merging:', ...listed(findings)].join('\n- '));
}

/** The hall limits the length of a text, and would refuse a longer one together with the work. */
function listed(findings: readonly Finding[]): string[] {
  const more = findings.length - MAX_LISTED;
  const lines = findings.slice(0, MAX_LISTED).map(spell);
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

const MAX_LISTED = 40;
const LONGEST_PATH = 250;

function spell({ path, because }: Finding): string {
  if (path === '') return because;
  return `${path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH).toWellFormed()}…` : path}: ${because}`;
}
