import { hash } from 'node:crypto';
import { type Appended, type Head, NO_HEAD, type SealedEvent } from '../../ports/store.ts';

/** Seals the events of one commit: a hash on each, and on the last a link to everything before it. */
export function seal(
  after: Head,
  events: readonly Appended[],
): { readonly sealed: readonly SealedEvent[]; readonly head: Head } {
  const last = events.at(-1);
  if (!last) return { sealed: [], head: after };
  const open = events.map(withHash);
  const link = linkOver(
    after.link,
    open.map((event) => event.hash),
    last.seq,
  );
  const sealed = open.map((event) => (event.seq === last.seq ? { ...event, link } : event));
  return { sealed, head: { seq: last.seq, link } };
}

function withHash({ seq, at, actor, cause, event, stored }: Appended): SealedEvent {
  const { type, body } = stored ?? { type: event.type, body: JSON.stringify(event) };
  const unsealed = { seq, at, actor, cause, type, body };
  return { ...unsealed, hash: hashOf(unsealed), link: null };
}

/** Prefixes the two free texts with their lengths, so that no two events hash the same input. */
function hashOf({ seq, at, actor, cause, type, body }: Omit<SealedEvent, 'hash' | 'link'>): string {
  const who = `${actor.length}:${actor},${cause.length}:${cause}`;
  return hash('sha256', `${seq}\n${at}\n${type}\n${who}\n${body}`, 'hex');
}

function linkOver(previous: string, hashes: readonly string[], lastSeq: number): string {
  return hash('sha256', `${previous}\n${hashes.join('\n')}\n${lastSeq}`, 'hex');
}

/** Checks a sealed log piece by piece, from a trusted head; stops at the first fault. */
interface ChainCheck {
  /** Takes the next events in order. Returns the first fault as text, or undefined. */
  follow(events: readonly SealedEvent[]): string | undefined;
  /** Call after the last piece: events that no link seals are a fault too. */
  finish(): string | undefined;
  /** The last link that was verified. */
  head(): Head;
}

export function verifyChain(from: Head = NO_HEAD): ChainCheck {
  let head = from;
  let seq = from.seq;
  let hashes: string[] = [];

  function faultIn(event: SealedEvent): string | undefined {
    if (event.seq !== seq + 1) return `event ${seq + 1} is missing: ${event.seq} follows ${seq}`;
    if (event.body !== null && event.hash !== hashOf(event)) {
      return `event ${event.seq} does not match its hash: it was changed after it was written`;
    }
    if (event.link === null) return undefined;
    if (event.link === linkOver(head.link, [...hashes, event.hash], event.seq)) return undefined;
    return `the link of event ${event.seq} does not follow from event ${head.seq} and the events since`;
  }

  return {
    follow(events) {
      for (const event of events) {
        const fault = faultIn(event);
        if (fault) return fault;
        seq = event.seq;
        hashes.push(event.hash);
        if (event.link === null) continue;
        head = { seq, link: event.link };
        hashes = [];
      }
      return undefined;
    },
    finish: () =>
      hashes.length === 0 ? undefined : `events ${head.seq + 1} to ${seq} are not sealed by a link`,
    head: () => head,
  };
}
