import type { Board } from '../domain/board.ts';
import { currentKey } from '../domain/edit-secrets.ts';
import type { HallEvent } from '../domain/event.ts';
import type { Duration } from '../domain/ids.ts';
import { operatorCommand } from '../domain/operator-command.ts';
import { type Refusal, refuse } from '../domain/refusal.ts';
import type { SecretKind } from '../domain/secret.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { SecretsKey } from '../ports/secrets-key.ts';
import type { Hall } from './hall.ts';
import type { KnownSecrets } from './known-secrets.ts';
import { keyFaultOf, type OpenedSecret, openSecrets } from './open-secrets.ts';
import { readBoard } from './read-board.ts';

interface Needs {
  readonly hall: Hall;
  readonly key: SecretsKey;
  readonly known: KnownSecrets;
  /** Whether other nodes may have a key of their own for the same secrets. */
  readonly isShared: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** How soon a key that was put back is noticed. */
const RETRY: Duration = 15_000;

/** The stored secrets, decrypted in memory. Every node has its own, and reads it again after each change. */
export class SecretStore {
  readonly key: SecretsKey;
  readonly isShared: boolean;
  readonly #needs: Needs;
  readonly #subscription: { stop(): void };
  readonly #listeners = new Set<() => void>();
  #opened: ReadonlyMap<string, OpenedSecret> = new Map();
  #keyFault: string | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #retry: { cancel(): void } | undefined;
  #stopped = false;

  constructor(needs: Needs) {
    this.key = needs.key;
    this.isShared = needs.isShared;
    this.#needs = needs;
    this.#subscription = needs.hall.subscribe((events) => {
      if (events.some(({ event }) => isAboutSecrets(event))) this.#refreshSoon();
    });
  }

  /** Why this node cannot read or encrypt secrets; null if it can, or has none. */
  get keyFault(): string | null {
    return this.#keyFault;
  }

  /** Refuses what needs the key of the stored secrets on a node that does not have it. */
  get locked(): Refusal | undefined {
    return this.#keyFault === null ? undefined : refuse('secrets_locked', this.#keyFault);
  }

  /** All valid values of a secret, the newest first; none if it is not set, of another kind or cannot be read. */
  valuesOf(name: string, kind: SecretKind): readonly string[] {
    const opened = this.#opened.get(name);
    const isOfKind = this.#needs.hall.board.secrets.get(name)?.kind === kind;
    return isOfKind && opened && 'values' in opened ? opened.values : [];
  }

  /** Why a secret cannot be used for a purpose, and what to do; undefined if it can. */
  faultOf(name: string, kind: SecretKind): string | undefined {
    const secret = this.#needs.hall.board.secrets.get(name);
    const set = operatorCommand('secrets set', `${name} --kind ${kind}`);
    if (!secret) return `the secret ${name} is not set; set it with: ${set}`;
    if (secret.kind !== kind) return `the secret ${name} is of kind ${secret.kind}, not ${kind}`;
    return this.unreadable(name);
  }

  unreadable(name: string): string | undefined {
    const opened = this.#opened.get(name);
    return opened && 'fault' in opened ? opened.fault : undefined;
  }

  /** Called after the secrets were read again. */
  onRefresh(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Reads the key and the secrets again. */
  refresh(): Promise<void> {
    return this.exclusively(() => this.#refresh());
  }

  /** One change at a time: it is prepared from what is stored. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = Promise.allSettled([result]);
    return result;
  }

  stop(): void {
    this.#stopped = true;
    this.#retry?.cancel();
    this.#subscription.stop();
  }

  /** Inside `exclusively`. */
  async reread(): Promise<void> {
    await this.#refresh();
  }

  #refreshSoon(): void {
    if (this.#stopped) return;
    this.refresh().catch((fault: Error) => {
      if (this.#stopped) return;
      this.#needs.log.warn('could not read the secrets, retrying', { fault: fault.message });
      this.#retryLater();
    });
  }

  #retryLater(): void {
    this.#retry?.cancel();
    if (!this.#stopped) this.#retry = this.#needs.clock.after(RETRY, () => this.#refreshSoon());
  }

  async #refresh(): Promise<void> {
    const { hall, known } = this.#needs;
    const { secrets, current } = await readBoard(hall, secretsOf);
    const stored = await hall.store.secrets();
    const read = secrets.length === 0 ? [] : await this.key.read();
    this.#opened = openSecrets(secrets, { stored, read, place: this.key.place });
    known.store(
      [...this.#opened.values()].flatMap((each) => ('values' in each ? each.values : [])),
    );
    this.#note(keyFaultOf(read, current, this.key.place));
    if (this.#keyFault !== null) this.#retryLater();
    for (const listener of this.#listeners) listener();
  }

  #note(fault: string | null): void {
    const { log } = this.#needs;
    if (fault === this.#keyFault) return;
    this.#keyFault = fault;
    if (fault === null) log.info('the secrets can be read again');
    else log.error('the secrets cannot be read', { because: fault });
  }
}

function isAboutSecrets({ type }: HallEvent): boolean {
  return (
    type === 'SecretSet' ||
    type === 'SecretRemoved' ||
    type === 'PreviousSecretRemoved' ||
    type === 'SecretsRotated'
  );
}

function secretsOf(board: Board) {
  return { secrets: [...board.secrets.values()], current: currentKey(board) };
}
