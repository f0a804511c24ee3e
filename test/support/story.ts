import type { RequestedApproval } from '../../src/domain/approval.ts';
import type { HallEvent } from '../../src/domain/event.ts';
import type { ApprovalId, RuleId, RunId, TaskId, ThreadId } from '../../src/domain/ids.ts';
import type { Persona } from '../../src/domain/persona.ts';
import type { Ending } from '../../src/domain/run.ts';
import { isAvailable, isAwaitingInput, isDeferred, isHeld } from '../../src/domain/task.ts';
import { PERSONA_SETTINGS } from './board-fixture.ts';
import { type History, RESULT } from './history.ts';

/** Numbers between 0 and 1 that depend only on the seed. */
export function dice(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
}

/** A hall that events can happen to. */
export function settleIn(history: History): History {
  history.project('shop').project('docs');
  for (const type of ['dev', 'reviewer', 'boss']) {
    history.agentType(type, type === 'dev' ? 600_000 : null).instance(`${type}-1`, type);
  }
  return history.instance('dev-css', 'dev', ['area:css']).invoker('ada').invoker('bob', 5);
}

/** At least one event of every type, in a possible order. */
export function everyEvent(history: History): void {
  settleIn(history);
  setUp(history);
  steer(history);
  work(history);
  const { hall } = history.board;
  history.record({ type: 'HallDraining', hall: { ...hall, draining: pause(history) } });
  history.record({ type: 'HallRestored', hall: { ...hall, era: hall.era + 1 } });
}

const pause = ({ at }: History) => ({ since: at, by: 'ada', because: 'lunch' });

function setUp(history: History): void {
  const { hall } = history.board;
  history
    .record({ type: 'HallPaused', hall: { ...hall, paused: pause(history) } })
    .record({ type: 'HallResumed', hall })
    .record({ type: 'QuotaWindowOpened', window: 2_871 })
    .record({ type: 'ProjectPaused', project: 'docs', pause: pause(history) })
    .record({ type: 'ProjectResumed', project: 'docs' })
    .project('gone')
    .record({ type: 'ProjectRemoved', project: 'gone' })
    .agentType('gone')
    .record({ type: 'TypeRemoved', agentType: 'gone' })
    .record({ type: 'PersonaSet', persona: persona('hamlet') })
    .record({ type: 'PersonaSet', persona: persona('gone') })
    .record({ type: 'PersonaRemoved', persona: 'gone' })
    .instance('gone-1', 'dev', ['gone'])
    .record({ type: 'InstanceRemoved', instance: 'gone-1' })
    .invoker('gone')
    .record({ type: 'InvokerRemoved', invoker: 'gone' });
  for (const name of ['ci', 'gone']) {
    const token = { name, role: 'viewer', hash: 'abc', createdAt: history.at, createdBy: 'ada' };
    history.record({ type: 'TokenCreated', token: { ...token, role: 'viewer' } });
  }
  history.record({ type: 'TokenRevoked', token: 'gone' });
  keepSecrets(history);
}

function keepSecrets(history: History): void {
  const set = (name: string, hasPrevious: boolean) =>
    history.record({
      type: 'SecretSet',
      secret: {
        ...{ name, kind: 'webhook_secret', key: 'k1', hasPrevious },
        ...{ setAt: history.at, setBy: 'ada' },
      },
    });
  for (const name of ['hook', 'gone']) set(name, false);
  set('hook', true);
  history
    .record({ type: 'PreviousSecretRemoved', secret: 'hook' })
    .record({ type: 'SecretsRotated', key: 'k2', secrets: ['hook', 'gone'] })
    .record({ type: 'SecretRemoved', secret: 'gone' })
    .record({ type: 'InvokerCredentialMissing', invoker: 'bob', because: 'the key is gone' })
    .record({ type: 'InvokerCredentialFound', invoker: 'bob' });
}

function steer(history: History): void {
  const since = history.at;
  const { thread: parent } = history.post('shop', {}, { size: 'XL', labels: ['area:css'] });
  const first = history.post('shop', { state: { is: 'proposed', since } }, { parent });
  const waits = [first.thread];
  const { task: blocked, thread: second } = history.post(
    'shop',
    { state: { is: 'blocked', since }, body: 'Do this\nand that' },
    { parent, dependsOn: waits, blockedBy: waits, agent: 'dev' },
  );
  history.record({
    type: 'ThreadChanged',
    thread: second,
    change: { labels: ['area:css', 'urgent'], title: 'Böser Titel', handedOver: pause(history) },
  });
  history.record({ type: 'ThreadChanged', thread: second, change: { handedOver: null } });
  const proposed = first.task;
  history
    .record({ type: 'TaskApproved', task: proposed, state: { is: 'available', since } })
    .record({ type: 'TaskUnblocked', task: blocked, state: { is: 'available', since } })
    .record({ type: 'TaskBlocked', task: blocked, state: { is: 'blocked', since } })
    .record({ type: 'LabelWaitExpired', task: proposed })
    .record({ type: 'LabelsUnmatched', task: proposed, because: 'nobody asks for area:css' })
    .record({ type: 'TaskEdited', task: blocked, change: { title: 'Edited', body: '' } })
    .record({ type: 'TaskEdited', task: proposed, change: { body: 'Words', agent: 'ada' } });
  const cancelled = { is: 'cancelled', since, by: 'ada', summary: 'not needed' } as const;
  history.record({ type: 'TaskCancelled', task: blocked, state: cancelled });
}

function work(history: History): void {
  const { thread, task } = history.post('docs', { title: 'Write it down', body: 'All of it' });
  const worker = history.worker('dev-1');
  const other = history.worker('dev-1');
  history.record({ type: 'WorkerDraining', worker: other });
  history.record({ type: 'WorkerDeregistered', worker: other, because: 'it left' });
  const usage = { inputTokens: 10, outputTokens: 20, turns: 1, costUsd: 0.25 };
  const asking = history.claim(task, worker, 'ada');
  history
    .record({ type: 'RunStarted', run: asking })
    .record({ type: 'RunAwaitingApproval', run: asking });
  askAbout(history, asking);
  history
    .record({ type: 'RunResumed', run: asking })
    .record({ type: 'UsageRecorded', run: asking, usage })
    .record({ type: 'NoteAdded', run: asking, note: 'the tests are slow' })
    .end(asking, { at: history.at, how: 'asked', question: 'Which?', session: null });
  const since = history.at;
  const later = history.claim(answer(history, task), worker, 'bob');
  history
    .end(later, { at: since, how: 'deferred', until: since + 60_000, why: 'limit' })
    .record({ type: 'TaskDue', task, state: { is: 'available', since } });
  const pr = { number: 7, url: 'https://forge.example/7' };
  const last = history.claim(task, worker);
  const result = { ...RESULT, branch: 'task/7', pr };
  history.record({ type: 'RunStarted', run: last });
  history.end(last, { at: since, how: 'completed', outcome: 'pr_created', result });
  check(history, thread);
  history.record({ type: 'PullRequestMerged', thread }).record({ type: 'ThreadDone', thread });
  history.complete(reopen(history, thread), worker);
}

/** Red checks on a red base, then a newer base that was checked before. */
function check(history: History, thread: ThreadId): void {
  const base = { branch: 'main', commit: 'b1', failing: null };
  const checks = { commit: 'c1', is: 'red', failing: ['tests'], base } as const;
  const result = { project: 'docs', failing: ['tests'], excerpt: 'not ok 1' };
  history
    .record({ type: 'ChecksReported', thread, checks, excerpt: 'not ok 2' })
    .record({ type: 'BaseChecksReported', ...result, commit: 'b1' })
    .record({ type: 'BaseChecksReported', ...result, commit: 'b2' })
    .record({
      type: 'ChecksCompared',
      thread,
      base: { ...base, failing: ['tests'] },
      excerpt: 'not ok 1',
    })
    .record({ type: 'BaseChecksForgotten', project: 'docs', commit: 'b2' })
    .record({ type: 'ThreadChanged', thread, change: { recheck: true } })
    .record({ type: 'BranchUpdated', thread, commit: 'c2' });
}

/** An approved call and a waiting one, and two rules. */
export function askAbout(history: History, run: RunId): void {
  const row = history.board.runs.get(run);
  if (!row) throw new Error(`run ${run} is not open`);
  const { task, project, worker, fence } = row;
  const ask = (command: string): ApprovalId => {
    const id = (history.board.seq + 1) as ApprovalId;
    const approval: RequestedApproval = {
      ...{ id, run, task, project, worker, fence, command, hash: command, tool: 'Bash' },
      ...{ cwd: '/work', worktree: '/work', tree: [command], nonce: 'n' },
      ...{ because: 'it removes a folder', rule: 'builtin:rm' },
    };
    history.record({ type: 'ApprovalRequested', run, approval });
    return id;
  };
  const first = ask('rm -r ./temp');
  ask('rm -r ./other');
  const answered = { how: 'approved', by: 'ada', at: history.at, because: null } as const;
  history
    .record({ type: 'ApprovalAnswered', run, task, project, approval: first, answer: answered })
    .record({ type: 'ApprovalUsed', run, task, project, approval: first });
  const rule = {
    ...{ id: (history.board.seq + 1) as RuleId, scope: project, verdict: 'accept' as const },
    ...{
      match: { command: 'rm -r ./temp' },
      expires: null,
      note: '',
      setAt: history.at,
      setBy: 'ada',
    },
  };
  history.record({ type: 'RuleSet', rule });
  const other = { ...rule, id: (history.board.seq + 1) as RuleId, scope: null };
  history.record({ type: 'RuleSet', rule: other });
  history.record({ type: 'RuleRemoved', rule: other.id });
}

function answer(history: History, task: TaskId): TaskId {
  const state = { is: 'available', since: history.at } as const;
  history.record({ type: 'TaskAnswered', task, state, answer: 'The second' }, 'bob');
  return task;
}

function reopen(history: History, id: ThreadId): TaskId {
  const thread = history.shut.get(id);
  if (!thread) throw new Error(`thread ${id} is not closed`);
  history.record({ type: 'ThreadReopened', thread });
  const deferred = { is: 'deferred', since: history.at, until: history.at + 1, why: 'x' } as const;
  const task = history.join(id, { skill: 'review', state: deferred });
  history.record({ type: 'TaskRetried', task, state: { is: 'available', since: history.at } });
  return task;
}

/** A possible next event. */
export function wander(history: History, roll: () => number): void {
  const { board } = history;
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(roll() * list.length)];
  const tasks = [...board.tasks.values()];
  const free = [...board.workers.values()].find(({ id }) => !board.runOf.has(id));
  const task = pick(tasks.filter(({ state }) => isAvailable(state)));
  const run = pick([...board.runs.values()]);
  const waiting = pick(tasks.filter(({ state }) => !isHeld(state)));
  const chance = roll();
  if (chance < 0.2 || tasks.length < 3) post(history, roll);
  else if (chance < 0.25 || !free) history.worker(pick(['dev-1', 'dev-css']) ?? 'dev-1');
  else if (chance < 0.5 && task) history.claim(task.id, free.id, pick([null, 'ada', 'bob']));
  else if (chance < 0.9 && run) carryOn(history, run.id, roll);
  else if (waiting) disturb(history, waiting.id, roll);
}

function post(history: History, roll: () => number): void {
  const open = [...history.board.threads.values()];
  const old = open[Math.floor(roll() * open.length * 2)];
  const labels = roll() < 0.3 ? ['area:css'] : [];
  const waits = roll() < 0.2 && old ? [old.id] : [];
  const project = roll() < 0.7 ? 'shop' : 'docs';
  const joins = old && roll() < 0.5 ? old.id : undefined;
  const since = history.at;
  const state = waits.length > 0 ? { is: 'blocked' as const, since } : undefined;
  const skill = roll() < 0.3 ? 'review' : 'implement';
  const facts = { skill, body: roll() < 0.4 ? 'Words' : '', ...(state && { state }) };
  if (joins) history.join(joins, facts);
  else history.post(project, facts, { labels, blockedBy: waits, dependsOn: waits });
}

function carryOn(history: History, run: RunId, roll: () => number): void {
  const chance = roll();
  const usage = { inputTokens: 1, outputTokens: 2, turns: 3, costUsd: 0.1 };
  if (chance < 0.2) history.record({ type: 'RunStarted', run });
  else if (chance < 0.3) history.record({ type: 'UsageRecorded', run, usage });
  else if (chance < 0.4) history.record({ type: 'NoteAdded', run, note: 'noted' });
  else if (chance < 0.5) history.record({ type: 'RunAwaitingApproval', run });
  else if (chance < 0.55) history.record({ type: 'RunResumed', run });
  else history.end(run, endingFor(history, Math.floor(roll() * 8)));
}

function endingFor({ at }: History, n: number): Ending {
  const rejection = { message: 'too big', missing: [], questions: ['why?'], suggestedSize: null };
  const endings: readonly Ending[] = [
    { at, how: 'completed', outcome: 'completed', result: RESULT },
    { at, how: 'completed', outcome: 'pr_created', result: { ...RESULT, branch: 'b' } },
    { at, how: 'failed', reason: 'max_turns_exceeded', result: RESULT },
    { at, how: 'rejected', rejection: { ...rejection, reasonCode: 'too_large' } },
    { at, how: 'asked', question: 'Which?', session: 's-1' },
    { at, how: 'deferred', until: at + 5_000, why: 'rate limit' },
    { at, how: 'lost', because: 'silent' },
    { at, how: 'cancelled', because: 'not needed' },
  ];
  return endings[n] ?? { at, how: 'released', because: 'drained' };
}

function persona(slug: string): Persona {
  return { slug, settings: PERSONA_SETTINGS, declared: null, retired: false };
}

function disturb(history: History, id: TaskId, roll: () => number): void {
  const task = history.board.tasks.get(id);
  if (!task) return;
  const since = history.at;
  const events: readonly HallEvent[] = [
    { type: 'TaskEdited', task: id, change: { title: `Edited at ${since}` } },
    { type: 'LabelWaitExpired', task: id },
    { type: 'ThreadChanged', thread: task.thread, change: { labels: ['area:css', 'x'] } },
    {
      type: 'TaskCancelled',
      task: id,
      state: { is: 'cancelled', since, by: 'bob', summary: '' },
    },
    { type: 'QuotaWindowOpened', window: history.board.hall.window + 1 },
  ];
  const state = { is: 'available', since } as const;
  const event = events[Math.floor(roll() * events.length)];
  const answered: HallEvent = { type: 'TaskAnswered', task: id, state, answer: 'A' };
  if (isAwaitingInput(task.state)) history.record(answered);
  else if (isDeferred(task.state)) history.record({ type: 'TaskDue', task: id, state });
  else if (event) history.record(event);
}
