import type { ServerResponse } from 'node:http';
import type { Hall } from '../board/hall.ts';
import type { Caller } from './caller.ts';
import { createEventHub } from './event-hub.ts';
import { EventStream, type Filter } from './event-stream.ts';
import { problem, type Refused } from './problem.ts';

interface Opening {
  readonly response: ServerResponse;
  readonly after: number | undefined;
  readonly filter: Filter;
  readonly caller: Caller;
}

export interface Streams {
  readonly size: number;
  /** Why no more streams can be opened; undefined when they can. */
  full(): Refused | undefined;
  open(opening: Opening): void;
  endAll(): void;
}

/** The open event streams, limited in number. */
export function createStreams(hall: Hall, most: number): Streams {
  const hub = createEventHub(hall);
  const streams = new Set<EventStream>();
  let isEnding = false;

  return {
    get size() {
      return streams.size;
    },
    full() {
      if (isEnding) return problem('no_leader', 'the hall is stopping; reconnect once it is back');
      if (streams.size < most) return undefined;
      return problem('too_many_streams', `the limit of ${most} open event streams is reached`);
    },
    open({ response, after, filter, caller }) {
      const isAllowed = createAccessCheck(hall, caller);
      const stream = new EventStream({ hall, hub, response, after, filter, isAllowed });
      streams.add(stream);
      response.once('close', () => streams.delete(stream));
    },
    endAll() {
      isEnding = true;
      for (const stream of streams) stream.end();
    },
  };
}

/**
 * A named token can be revoked while its stream is open, and its name reused for another token. The
 * operator's own token has no row.
 */
function createAccessCheck({ board }: Hall, caller: Caller): () => boolean {
  if (caller.kind !== 'operator' && caller.kind !== 'viewer') return () => true;
  const { name } = caller;
  const hash = board.tokens.get(name)?.hash;
  if (hash === undefined) return () => name === 'local';
  return () => board.tokens.get(name)?.hash === hash;
}
