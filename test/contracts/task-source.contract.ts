import assert from 'node:assert/strict';
import { type Json, until } from '../support/hall-fixture.ts';
import type { SourceHall } from '../support/source-hall.ts';

/** A source of one kind, in which a test writes, on a running hall. */
export interface SourceUnderTest extends AsyncDisposable {
  readonly hall: SourceHall;
  /** Adds an item, or changes the one of this name. */
  put(name: ItemName, item: { readonly title: string; readonly body: string }): Promise<void>;
  remove(name: ItemName): Promise<void>;
  /** Lets the hall read the source, where it reads it. */
  sync(): Promise<void>;
  /** Makes the source unreachable and reachable again; null where the hall does not reach for it. */
  readonly outage: { begin(): void; end(): void } | null;
}

export type ItemName = 'one' | 'two';

/** What the board relies on, whatever the kind of the source. */
export async function obeysSourceContract(open: () => Promise<SourceUnderTest>): Promise<void> {
  await using source = await open();
  await postsOnce(source);
  await updatesWaiting(source);
  await cancelsRemoved(source);
  if (source.outage) await survivesOutage(source);
  await worksOnAlthoughRemoved(source);
  await postsChangedAgain(source);
}

/** However often it is read, an item is one task, at the place where it arrived. */
async function postsOnce({ hall, put, sync }: SourceUnderTest): Promise<void> {
  await put('one', { title: 'First thing', body: 'do one' });
  await put('two', { title: 'Second thing', body: 'do two' });
  for (let times = 0; times < 3; times += 1) await sync();
  const tasks = await hall.tasks();
  assert.deepEqual(
    tasks.map(({ title, state, skill }) => [title.replace(/^TASK-\d+: /, ''), state, skill]),
    [
      ['First thing', 'available', 'implement'],
      ['Second thing', 'available', 'implement'],
    ],
  );
}

async function updatesWaiting({ hall, put, sync }: SourceUnderTest): Promise<void> {
  const before = await called(hall, /Second thing/);
  await put('two', { title: 'Second thing, better', body: 'do two well' });
  await sync();
  const after = await called(hall, /Second thing, better/);
  assert.equal(after.id, before.id);
  const { task } = await hall.fixture.taskDetail(after.id);
  assert.match(task.body, /do two well/);
  assert.equal((await hall.tasks()).length, 2);
}

async function cancelsRemoved({ hall, remove, sync }: SourceUnderTest): Promise<void> {
  await remove('two');
  await sync();
  const { state } = await called(hall, /Second thing/);
  assert.equal(state, 'cancelled');
  assert.equal((await called(hall, /First thing/)).state, 'available');
}

/** Health says so, what is on the board goes on, and the source heals by itself. */
async function survivesOutage({ hall, sync, outage }: SourceUnderTest): Promise<void> {
  outage?.begin();
  await sync();
  const { status, says } = await hall.health();
  assert.equal(status, 'degraded');
  assert.match(says, /task source unavailable/);
  assert.equal((await called(hall, /First thing/)).state, 'available');
  outage?.end();
  await until('the source is read again', async () => (await hall.health()).status === 'up');
  assert.equal((await called(hall, /First thing/)).state, 'available');
}

async function worksOnAlthoughRemoved({ hall, put, remove, sync, outage }: SourceUnderTest) {
  const worker = await hall.fixture.worker();
  const claim = await worker.claimed();
  if (outage) {
    await remove('one');
    await sync();
    assert.equal((await hall.fixture.task(claim.task.id)).state, 'claimed');
    const { notes } = await hall.fixture.taskDetail(claim.task.id);
    assert.match(notes.at(-1)?.text ?? '', /The work goes on although/);
    await put('one', { title: 'First thing', body: 'do one' });
    await sync();
  }
  await worker.complete(claim, { outcome: 'completed' });
  await sync();
  assert.equal((await called(hall, /First thing/)).state, 'completed');
}

/** An ended task is final: what changes afterwards is a new task that is linked to it. */
async function postsChangedAgain({ hall, put, sync }: SourceUnderTest): Promise<void> {
  const before = await called(hall, /First thing/);
  await put('one', { title: 'First thing, again', body: 'do one in blue' });
  await sync();
  const after = await called(hall, /First thing, again/);
  assert.equal(after.reopens, before.id);
  assert.deepEqual([after.thread, after.state], [before.thread, 'available']);
  assert.equal((await called(hall, /First thing$/)).state, 'completed');
}

async function called(hall: SourceHall, title: RegExp): Promise<Json> {
  return (await hall.taskCalled(title)) ?? assert.fail(`no task is called ${title}`);
}
