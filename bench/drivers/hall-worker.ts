import { type Connection, connect, expect } from './connection.ts';
import type { Place } from './driver.ts';

export interface Held {
  readonly run: string;
  readonly fence: number;
}

interface Registered {
  readonly id: string;
  readonly token: string;
}

const COMPLETED = '"outcome":"completed","summary":"done"';

/** A worker that does nothing but claim and report, on its own connection. */
export class HallWorker {
  /** The next claim of a fused report. */
  held: Held | undefined;
  readonly #connection: Connection;
  readonly #id: string;
  readonly #leave: () => Promise<void>;

  constructor(connection: Connection, id: string, leave: () => Promise<void>) {
    this.#connection = connection;
    this.#id = id;
    this.#leave = leave;
  }

  async claim(waitSeconds = 0): Promise<Held | undefined> {
    const body = `{"worker":"${this.#id}","wait_seconds":${waitSeconds}}`;
    const { status, text } = await this.#connection.ask('POST', '/v1/claims', body);
    if (status === 204) return undefined;
    if (status !== 200) throw new Error(`a claim returned ${status}: ${text}`);
    return JSON.parse(text) as Held;
  }

  async report({ run, fence }: Held, andNext: boolean): Promise<Held | undefined> {
    const next = andNext ? ',"next":{"wait_seconds":0}' : '';
    const body = `{"fence":${fence},${COMPLETED}${next}}`;
    const { status, text } = await this.#connection.ask('POST', `/v1/runs/${run}/report`, body);
    if (status !== 200) throw new Error(`a report returned ${status}: ${text}`);
    return (JSON.parse(text) as { readonly next: Held | null }).next ?? undefined;
  }

  /** Its task, if it holds one, becomes available again. */
  async leave(): Promise<void> {
    this.#connection.close();
    await this.#leave();
  }
}

export async function joinAll(
  place: Place,
  count: number,
  instanceOf: (n: number) => string,
  projects: readonly string[] | null,
): Promise<readonly HallWorker[]> {
  const { url, token = '', client = 'lean', keyed = false, bringsModel = false } = place;
  const operator = connect(client, { url, token });
  const workers: HallWorker[] = [];
  for (let n = 0; n < count; n += 1) {
    const registration = {
      instance: instanceOf(n),
      projects,
      brings_model: bringsModel,
      host: 'bench',
    };
    const { id, token: own } = await expect<Registered>(
      operator,
      'POST',
      '/v1/workers',
      registration,
    );
    const leave = async () => {
      const leaving = connect('node', { url, token });
      await leaving.ask('DELETE', `/v1/workers/${id}`);
      leaving.close();
    };
    workers.push(new HallWorker(connect(client, { url, token: own, keyed }), id, leave));
  }
  operator.close();
  return workers;
}
