import type { EventRecord } from '../../api/overview.ts';
import { shownCommand } from '../../api/shown-command.ts';
import type { EventType, HallEvent, Recorded } from '../../domain/event.ts';
import { nameOf } from '../../domain/ids.ts';
import type { SourceRecord } from '../../domain/sources/item.ts';
import type { TaskState } from '../../domain/task.ts';
import { pauseView, runName, taskName, threadName, timeOf, workerName } from './ids-and-times.ts';
import { endingView, usageView } from './run.ts';
import { stateView } from './task.ts';
import { ruleView } from './tool.ts';

type Facts = Readonly<Record<string, unknown>>;
type EventOf<T extends EventType, E = HallEvent> = E extends { readonly type: infer U }
  ? T extends U
    ? E
    : never
  : never;

/** An event as people see it. Long texts and token hashes stay in the store. */
export function eventView({ seq, at, actor, cause, event }: Recorded): EventRecord {
  const tell = FACTS[event.type] as (event: HallEvent) => Facts;
  return { seq, at: timeOf(at), type: event.type, actor, cause, facts: tell(event) };
}

const FACTS = {
  HallPaused: hallFacts,
  HallResumed: hallFacts,
  HallDraining: hallFacts,
  HallRestored: hallFacts,
  QuotaWindowOpened: ({ window }) => ({ window }),
  ProjectSet: ({ project }) => ({
    project: project.name,
    repo: project.settings.repo,
    max_workers: project.settings.maxWorkers,
    paused: pauseView(project.paused),
  }),
  ProjectPaused: ({ project, pause }) => ({ project, paused: pauseView(pause) }),
  ProjectResumed: ({ project }) => ({ project }),
  ProjectRemoved: ({ project }) => ({ project }),
  ForgeConnected: ({ forge: { name, kind, url } }) => ({ forge: name, kind, url }),
  ForgeDisconnected: ({ forge }) => ({ forge }),
  LookRequested: ({ look: { repo, number } }) => ({ repo, number }),
  LookDone: ({ look }) => ({ issue: look }),
  IssueSeen: ({ issue: { key, project, thread } }) => ({
    issue: key,
    project,
    thread: thread === null ? null : threadName(thread),
  }),
  RepositoryRead: ({ repo, cursor }) => ({ repo, cursor }),
  IssueForgotten: ({ issue }) => ({ issue }),
  ReplyQueued: ({ reply: { key, repo, number } }) => ({ reply: key, repo, number }),
  ReplySent: ({ reply }) => ({ reply }),
  ReviewDismissed: ({ thread, account }) => ({ thread: threadName(thread), account }),
  PullRequestOpened: ({ thread, pr: { number, url } }) => ({
    thread: threadName(thread),
    pr: { number, url },
  }),
  ForgeWritten: ({ thread, written }) => ({
    thread: threadName(thread),
    written: Object.keys(written),
  }),
  SourceRead: sourceFacts,
  SourceFailed: sourceFacts,
  SourceForgotten: ({ source }) => ({ source }),
  SourceItemSeen: ({ item: { item, source, project, thread, gone, notPosted } }) => ({
    item,
    source,
    project,
    thread: thread === null ? null : threadName(thread),
    ...(gone && { gone }),
    ...(notPosted !== undefined && { not_posted: notPosted }),
  }),
  SourceItemForgotten: ({ item }) => ({ item }),
  SourceItemNoted: ({ thread, text }) => ({ thread: threadName(thread), text }),
  TypeSet: ({ agentType }) => ({ type: agentType.name, model: agentType.settings.model }),
  TypeRemoved: ({ agentType }) => ({ type: agentType }),
  PersonaSet: ({ persona }) => ({
    persona: persona.slug,
    type: persona.settings.type,
    model: persona.settings.model,
    retired: persona.retired,
  }),
  PersonaRemoved: ({ persona }) => ({ persona }),
  InstanceSet: ({ instance }) => ({
    agent: instance.name,
    type: instance.type,
    enabled: instance.settings.enabled,
    paused: pauseView(instance.paused),
  }),
  InstanceRemoved: ({ instance }) => ({ agent: instance }),
  InvokerSet: ({ invoker }) => ({
    invoker: invoker.handle,
    weekly_cap: invoker.settings.weeklyCap,
    paused: pauseView(invoker.paused),
  }),
  InvokerRemoved: ({ invoker }) => ({ invoker }),
  InvokerParked: ({ invoker, until, because }) => ({ invoker, until: timeOf(until), because }),
  InvokerUnparked: ({ invoker }) => ({ invoker }),
  InvokerCredentialMissing: ({ invoker, because }) => ({ invoker, because }),
  InvokerCredentialFound: ({ invoker }) => ({ invoker }),
  TokenCreated: ({ token }) => ({ token: token.name, role: token.role }),
  TokenRevoked: ({ token }) => ({ token }),
  SecretSet: ({ secret: { name, kind, hasPrevious } }) => ({
    secret: name,
    kind,
    keeps_previous: hasPrevious,
  }),
  SecretRemoved: ({ secret }) => ({ secret }),
  PreviousSecretRemoved: ({ secret }) => ({ secret }),
  SecretsRotated: ({ secrets }) => ({ secrets }),
  ThreadReopened: ({ thread }) => ({ thread: threadName(thread.id), project: thread.project }),
  ThreadChanged: ({ thread, change }) => ({
    thread: threadName(thread),
    ...(change.labels && { labels: change.labels }),
    ...(change.size && { size: change.size }),
    ...(change.agent !== undefined && { agent: change.agent }),
    ...(change.title !== undefined && { title: change.title }),
    ...(change.dependsOn && { depends_on: change.dependsOn.map(threadName) }),
    ...(change.recheck && { recheck: true }),
    ...(change.handedOver !== undefined && { handed_over: pauseView(change.handedOver) }),
  }),
  ThreadDone: ({ thread }) => ({ thread: threadName(thread) }),
  PullRequestMerged: ({ thread, forced = false }) => ({ thread: threadName(thread), forced }),
  PullRequestClosed: ({ thread }) => ({ thread: threadName(thread) }),
  ChecksReported: ({ thread, checks }) => ({
    thread: threadName(thread),
    commit: checks.commit,
    checks: checks.is,
    failing: checks.failing,
  }),
  ChecksRerun: ({ thread, rerun }) => ({
    thread: threadName(thread),
    names: rerun.names,
    started: rerun.newest !== null,
  }),
  BaseChecksReported: ({ project, commit, failing }) => ({ project, commit, failing }),
  BaseChecksForgotten: ({ project, commit }) => ({ project, commit }),
  ChecksCompared: ({ thread, base }) => ({
    thread: threadName(thread),
    base: base.branch,
    commit: base.commit,
    failing: base.failing,
  }),
  BranchUpdated: ({ thread, commit }) => ({ thread: threadName(thread), commit }),
  ReviewGiven: ({ thread, verdict, text }) => ({
    thread: threadName(thread),
    commit: verdict.commit,
    verdict: verdict.is,
    by: verdict.by,
    text,
  }),
  MergeRequested: ({ thread, by }) => ({ thread: threadName(thread), by }),
  MergeConflicted: ({ thread, commit, files }) => ({ thread: threadName(thread), commit, files }),
  TaskPosted: ({ task, opens }) => ({
    task: taskName(task.id),
    thread: threadName(task.thread),
    project: task.project,
    title: task.title,
    skill: task.skill,
    type: task.type,
    agent: task.agent,
    reopens: task.reopens === null ? null : taskName(task.reopens),
    ...stateFacts(task.state),
    ...(opens && {
      labels: opens.labels,
      size: opens.size,
      parent: opens.parent === null ? null : threadName(opens.parent),
      depends_on: opens.dependsOn.map(threadName),
    }),
  }),
  TaskEdited: ({ task, change: { body: _body, ...change } }) => ({
    task: taskName(task),
    ...change,
  }),
  TaskApproved: movedFacts,
  TaskBlocked: movedFacts,
  TaskUnblocked: movedFacts,
  TaskDue: movedFacts,
  TaskRetried: movedFacts,
  TaskCancelled: movedFacts,
  TaskAnswered: ({ task, state, answer }) => ({
    task: taskName(task),
    ...stateFacts(state),
    answer,
  }),
  LabelWaitExpired: ({ task }) => ({ task: taskName(task) }),
  LabelsUnmatched: ({ task, because }) => ({ task: taskName(task), because }),
  WorkerRegistered: ({ worker }) => ({
    worker: workerName(worker.id),
    instance: worker.instance,
    projects: worker.projects,
    brings_model: worker.bringsModel,
    host: worker.host,
  }),
  WorkerDraining: ({ worker }) => ({ worker: workerName(worker) }),
  WorkerDeregistered: ({ worker, because }) => ({ worker: workerName(worker), because }),
  RunClaimed: ({ run }) => ({
    run: runName(run.id),
    task: taskName(run.task),
    worker: workerName(run.worker),
    fence: run.fence,
    invoker: run.invoker,
    credits: run.credits,
  }),
  RunStarted: ({ run }) => ({ run: runName(run) }),
  RunAwaitingApproval: ({ run }) => ({ run: runName(run) }),
  RunResumed: ({ run }) => ({ run: runName(run) }),
  TargetExceeded: ({ run }) => ({ run: runName(run) }),
  RuleSet: ({ rule }) => ({ rule: ruleView(rule) }),
  RuleRemoved: ({ rule }) => ({ rule: nameOf('rule', rule) }),
  ApprovalRequested: ({ run, approval }) => ({
    run: runName(run),
    approval: nameOf('approval', approval.id),
    command: shownCommand(approval.command),
    because: shownCommand(approval.because),
    rule: approval.rule,
  }),
  ApprovalAnswered: ({ run, approval, answer }) => ({
    run: runName(run),
    approval: nameOf('approval', approval),
    answer: answer.how,
    by: answer.by,
    because: answer.because,
  }),
  ApprovalUsed: ({ run, approval }) => ({
    run: runName(run),
    approval: nameOf('approval', approval),
  }),
  UsageRecorded: ({ run, usage }) => ({ run: runName(run), usage: usageView(usage) }),
  NoteAdded: ({ run, note }) => ({ run: runName(run), note }),
  RunEnded: ({ run, ending, task, done = false }) => ({
    run: runName(run),
    ...stateFacts(task),
    thread_done: done,
    ending: endingView(ending),
  }),
} as const satisfies { readonly [T in EventType]: (event: EventOf<T>) => Facts };

export const EVENT_TYPES: readonly string[] = Object.keys(FACTS);

function sourceFacts({ source }: { readonly source: SourceRecord }): Facts {
  const { id, project, position, problems, failure } = source;
  return {
    source: id,
    project,
    position,
    problems,
    ...(failure && { because: failure.because, tries: failure.tries }),
  };
}

function hallFacts({ hall }: EventOf<'HallPaused'>): Facts {
  return { paused: pauseView(hall.paused), draining: pauseView(hall.draining) };
}

/** A state with its reason; the event's own facts about a run come separately. */
function movedFacts({ task, state }: EventOf<'TaskDue'>): Facts {
  const { since: _, ...facts } = stateView(state);
  return { task: taskName(task), ...facts };
}

function stateFacts(state: TaskState): Facts {
  return { state: state.is };
}
