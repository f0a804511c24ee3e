import type { Board } from '../domain/board.ts';
import { decide } from '../domain/decision.ts';
import type { HallEvent, Recorded } from '../domain/event.ts';
import { repositoryOn } from '../domain/forge/connected-forges.ts';
import { type Reply, replyMarker } from '../domain/forge/reply.ts';
import { stateLabels } from '../domain/forge/shown-labels.ts';
import type { Duration, ThreadId } from '../domain/ids.ts';
import type { Clock } from '../ports/clock.ts';
import { ForgeFailed } from '../ports/forge.ts';
import type { Log } from '../ports/log.ts';
import { LeadershipLost } from '../ports/store.ts';
import { ForgeBackoff } from './forge-backoff.ts';
import { settleIssue, type UpdateNeeds, updateForgeThread } from './update-forge-thread.ts';

interface Needs extends UpdateNeeds {
  readonly clock: Clock;
  readonly log: Log;
}

interface ForgeUpdates {
  /** Why a forge does not take what is written there; null when it does. */
  failureOf(forge: string): string | null;
  stop(): Promise<void>;
}

/** Also without events: the reason why a task waits changes with time. */
const LOOK_AGAIN_EVERY: Duration = 15_000;

/** Several events of one commit are one update. */
const SETTLE: Duration = 200;

/** Shows on forges what the board knows, while this node leads, and sends what it owes. */
export function updateForges(needs: Needs): ForgeUpdates {
  const updates = new Updates(needs);
  const { clock, hall } = needs;
  let isStopped = false;
  let timer = clock.after(0, everything);

  function everything(): void {
    updates.all();
    void updates.advance().finally(() => {
      if (!isStopped) timer = clock.after(LOOK_AGAIN_EVERY, everything);
    });
  }

  /** The board of a stopped hall cannot be changed. */
  function settle(): void {
    if (!isStopped) void updates.advance();
  }

  const listening = hall.subscribe((events) => {
    if (updates.heard(events)) clock.after(SETTLE, settle);
  });
  return {
    failureOf: (forge) => updates.failureOf(forge),
    async stop() {
      isStopped = true;
      timer.cancel();
      listening.stop();
      await updates.idle();
    },
  };
}

class Updates {
  readonly #needs: Needs;
  readonly #backoff: ForgeBackoff;
  readonly #threads = new Set<ThreadId>();
  #advancing: Promise<void> | undefined;
  #isAgain = false;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#backoff = new ForgeBackoff(needs.clock);
  }

  failureOf(forge: string): string | null {
    return this.#backoff.anyFailureOf(forge);
  }

  all(): void {
    for (const { id, forge } of this.#needs.hall.board.threads.values()) {
      if (forge.issue?.repo !== undefined || forge.pr?.state === 'opening') this.#threads.add(id);
    }
  }

  /** Whether the events concern a forge. */
  heard(events: readonly Recorded[]): boolean {
    const { board } = this.#needs.hall;
    if (board.forges.size === 0) return false;
    for (const { event } of events)
      if (isShown(event) || hasOtherLabels(board, event) || hasDuplicateCard(event)) this.all();
    return true;
  }

  async idle(): Promise<void> {
    await this.#advancing;
  }

  advance(): Promise<void> {
    this.#isAgain = true;
    this.#advancing ??= this.#passes().finally(() => {
      this.#advancing = undefined;
    });
    return this.#advancing;
  }

  async #passes(): Promise<void> {
    while (this.#isAgain) {
      this.#isAgain = false;
      if (this.#needs.hall.leading()) await this.#pass();
    }
  }

  async #pass(): Promise<void> {
    const { hall } = this.#needs;
    for (const id of [...this.#threads]) {
      this.#threads.delete(id);
      const project = hall.board.threads.get(id)?.project;
      const repo = hall.board.projects.get(project ?? '')?.settings.repo ?? '';
      await this.#try(`thread ${id}`, repo, () => updateForgeThread(this.#needs, id));
    }
    for (const record of [...hall.board.issues.values()].filter(({ unsettled }) => unsettled)) {
      const repo = record.key.replace(/#.*$/, '');
      await this.#try(record.key, repo, () => settleIssue(this.#needs, record));
    }
    for (const reply of [...hall.board.replies.values()]) {
      await this.#try(reply.key, reply.repo, () => this.#send(reply));
    }
  }

  async #send(reply: Reply): Promise<void> {
    const { hall, forgeNamed, redact } = this.#needs;
    const repository = repositoryOn(reply.repo);
    const forge = repository && forgeNamed(repository.forge);
    if (!forge || !repository) return;
    const marker = replyMarker(reply);
    const text = `${marker}\n${redact(reply.text)}`;
    const { number } = reply;
    const repo = repository.path;
    const { removesLabel } = reply;
    if (removesLabel !== undefined) {
      await forge.setLabels({ repo, number, add: [], remove: [removesLabel] });
    }
    await forge.ensureComment({ repo, number, marker, text, id: null });
    const meta = { actor: 'hall', cause: 'forge' };
    const sent: HallEvent = { type: 'ReplySent', reply: reply.key };
    await hall.leading()?.writer.change({ meta, decide: () => decide(reply.key, [sent]) });
  }

  async #try(about: string, repo: string, doing: () => Promise<void>): Promise<void> {
    const subject = { forge: nameOfForge(repo), about };
    if (!this.#backoff.mayTry(subject)) return;
    try {
      await doing();
      this.#backoff.worked(subject);
    } catch (fault) {
      // Another node leads now, or the hall stops: whoever leads next does it again.
      if (fault instanceof LeadershipLost) return;
      if (!(fault instanceof ForgeFailed)) throw fault;
      this.#backoff.failed(subject, fault);
      this.#needs.log.warn('forge not updated', { ...subject, fault: fault.message });
    }
  }
}

function nameOfForge(repo: string): string {
  return repositoryOn(repo)?.forge ?? '';
}

/** A person changed the labels that show the state of a thread. */
function hasOtherLabels(board: Board, event: HallEvent): boolean {
  if (event.type !== 'ForgeWritten' || !event.written.labels) return false;
  const thread = board.threads.get(event.thread);
  return thread !== undefined && stateLabels(board, thread).join() !== event.written.labels.join();
}

function hasDuplicateCard(event: HallEvent): boolean {
  if (event.type !== 'ForgeWritten') return false;
  return event.written.issueCard === null || event.written.pullCard === null;
}

/** What the hall itself wrote changes nothing that it shows. */
function isShown({ type }: HallEvent): boolean {
  return !NOT_SHOWN.includes(type);
}

const NOT_SHOWN: readonly HallEvent['type'][] = [
  ...(['ForgeWritten', 'RepositoryRead', 'LookRequested', 'LookDone', 'IssueSeen'] as const),
  ...(['SourceRead', 'SourceFailed', 'SourceItemSeen'] as const),
];
