import { delay } from './delay.ts';
import { ENDPOINTS } from './endpoints.ts';
import type { OutgoingRequest } from './operation.ts';
import type { EventRecord } from './overview.ts';
import type { HallUnreachable, ProblemReceived } from './problem-received.ts';

export interface EventStreamOptions {
  /** The last event already received; without it the stream starts with new events. */
  readonly after?: number;
  readonly project?: string;
  readonly task?: string;
  readonly signal?: AbortSignal;
}

interface Needs {
  readonly base: string;
  readonly attempt: (request: OutgoingRequest) => Promise<Response | HallUnreachable>;
  readonly failed: (operation: 'streamEvents', response: Response) => Promise<ProblemReceived>;
}

/** Longer than a few heartbeats of the hall: a stream silent for this long is dead. */
const SILENCE = 50_000;
const LONGEST_WAIT = 10_000;

/** Reads the event stream and resumes where it stopped when the connection is lost. */
export async function* readEvents(
  { after, project, task, signal }: EventStreamOptions,
  needs: Needs,
): AsyncGenerator<EventRecord, void, undefined> {
  let last = after;
  let lost = 0;
  while (!signal?.aborted) {
    const silence = new AbortController();
    const request = streamRequest(needs.base, { after: last, project, task });
    const either = signal ? AbortSignal.any([signal, silence.signal]) : silence.signal;
    const response = await settled(needs.attempt({ ...request, signal: either }));
    if (response instanceof Response && isFinal(response)) {
      throw await needs.failed('streamEvents', response);
    }
    if (response instanceof Response && response.ok && response.body) {
      for await (const { seq, event } of messagesIn(response.body, silence)) {
        lost = 0;
        last = seq ?? last;
        if (event) yield event;
      }
    }
    lost += 1;
    await settled(delay(Math.min(100 * 2 ** lost, LONGEST_WAIT), signal));
  }
}

/** A lost connection is not an error here: whatever the cause, the client reconnects. */
function settled<T>(promise: Promise<T>): Promise<T | undefined> {
  return promise.then(
    (value) => value,
    () => undefined,
  );
}

function isFinal({ status }: Response): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

function streamRequest(
  base: string,
  {
    after,
    project,
    task,
  }: { [K in 'after' | 'project' | 'task']: EventStreamOptions[K] | undefined },
): OutgoingRequest {
  const query = new URLSearchParams();
  if (project !== undefined) query.set('project', project);
  if (task !== undefined) query.set('task', task);
  return {
    method: ENDPOINTS.streamEvents.method,
    url: `${base}${ENDPOINTS.streamEvents.path}${query.size > 0 ? `?${query}` : ''}`,
    headers: {
      accept: 'text/event-stream',
      ...(after !== undefined && { 'last-event-id': String(after) }),
    },
  };
}

async function* messagesIn(
  body: ReadableStream<Uint8Array>,
  silence: AbortController,
): AsyncGenerator<Message, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const timer = setTimeout(() => silence.abort(), SILENCE);
      const chunk = await settled(reader.read());
      clearTimeout(timer);
      if (!chunk || chunk.done) return;
      text += decoder.decode(chunk.value, { stream: true });
      const messages = text.split('\n\n');
      text = messages.pop() ?? '';
      for (const message of messages) yield messageIn(message);
    }
  } finally {
    silence.abort();
    await settled(reader.cancel());
  }
}

interface Message {
  readonly seq: number | undefined;
  readonly event: EventRecord | undefined;
}

/** The hall sends the stream's starting id before any event, so a reconnect loses nothing. */
function messageIn(message: string): Message {
  const lines = message.split('\n');
  const id = lines.find((line) => line.startsWith('id: '));
  const data = lines.find((line) => line.startsWith('data: '));
  return {
    seq: id === undefined ? undefined : Number(id.slice('id: '.length)),
    event: data === undefined ? undefined : JSON.parse(data.slice('data: '.length)),
  };
}
