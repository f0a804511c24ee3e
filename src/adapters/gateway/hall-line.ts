import { Agent, type IncomingHttpHeaders, type IncomingMessage, request as send } from 'node:http';
import { Agent as SecureAgent, request as sendSecurely } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';

/** The way from a worker to the gateway of its hall. */
export interface HallLine {
  /** The head of the answer; undefined when the hall stayed away for too long. */
  ask(call: LineCall): Promise<IncomingMessage | undefined>;
  close(): void;
}

interface LineCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly signal: AbortSignal;
}

interface Needs {
  readonly hall: { readonly url: string; readonly token: string };
  readonly run: string;
  readonly fence: number;
}

/** A hall that restarts, or a new leader, is there again in this time. Between the tries in milliseconds. */
const PAUSES = [100, 200, 400, 800, 1_500, 2_000, 2_000, 2_000, 3_000, 3_000, 5_000];

export function createHallLine(needs: Needs): HallLine {
  const plain = new Agent({ keepAlive: true });
  const secure = new SecureAgent({ keepAlive: true });
  const agents = { plain, secure };
  return {
    async ask(call) {
      for (const rest of [...PAUSES, null]) {
        const answer = await askOnce(needs, agents, call);
        if (answer && !isAway(answer)) return answer;
        answer?.resume();
        if (rest === null || call.signal.aborted) return undefined;
        await pause(rest);
      }
      return undefined;
    },
    close() {
      plain.destroy();
      secure.destroy();
    },
  };
}

/** The hall says itself that it cannot at the moment; what a provider says is passed on. */
function isAway({ statusCode, headers }: IncomingMessage): boolean {
  const failure = headers['x-guildhall-failure'];
  return statusCode === 503 && (failure === undefined || failure === 'away');
}

interface Agents {
  readonly plain: Agent;
  readonly secure: SecureAgent;
}

/** Undefined when nothing came back. Asking again is safe: a call of a model changes nothing. */
function askOnce(
  { hall, run, fence }: Needs,
  { plain, secure }: Agents,
  { path, headers, body, signal }: LineCall,
): Promise<IncomingMessage | undefined> {
  const isSecure = hall.url.startsWith('https:');
  return new Promise((resolve) => {
    const request = (isSecure ? sendSecurely : send)(`${hall.url}/gateway${path}`, {
      method: 'POST',
      headers: {
        ...passedOn(headers),
        authorization: `Bearer ${hall.token}`,
        'content-type': 'application/json',
        'content-length': body.length,
        'x-guildhall-run': run,
        'x-guildhall-fence': String(fence),
      },
      agent: isSecure ? secure : plain,
      signal,
    });
    request.on('error', () => resolve(undefined));
    request.on('response', resolve);
    request.end(body);
  });
}

const PASSED_ON = ['accept', 'anthropic-version', 'anthropic-beta', 'user-agent', 'x-app'];

function passedOn(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}
