import {
  type ScriptedModel,
  startScriptedModel,
} from '../../src/adapters/claude/scripted/server.ts';
import { createModels } from '../../src/adapters/gateway/provider.ts';
import type { Answer } from './caller.ts';
import { type HallOptions, type RunningHall, type RunningWorker, startHall } from './hall.ts';

/** Stands for a real key: wherever it shows up outside the hall, something leaked. */
export const CANARY = 'sk-ant-api03-canary-9f3b1c';

export interface GatewayFixture extends AsyncDisposable {
  readonly hall: RunningHall;
  readonly model: ScriptedModel;
  /** Registers a worker whose runs an invoker pays, posts a task and claims it. */
  held(): Promise<HeldRun>;
  ask(held: HeldRun, more?: ModelCall): Promise<Answer>;
}

export interface HeldRun {
  readonly worker: RunningWorker;
  readonly run: string;
  readonly fence: number;
  readonly task: string;
}

interface ModelCall {
  readonly path?: string;
  readonly method?: string;
  readonly token?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A hall with the invoker `ada`, whose model plays the script. */
export async function gatewayFixture(
  script: string,
  options: HallOptions = {},
): Promise<GatewayFixture> {
  const model = await startScriptedModel({ script });
  const models = createModels();
  const hall = await startHall({
    invokers: { ada: { weeklyCap: 25, projects: null } },
    ...options,
    app: {
      models,
      accountOf: (handle) =>
        handle === 'ada' ? { url: model.url, credential: CANARY } : undefined,
      ...options.app,
    },
  });
  return {
    hall,
    model,
    held: () => held(hall),
    ask: ({ worker, run, fence }, more = {}) =>
      worker.caller.call(
        more.method ?? 'POST',
        more.path ?? '/gateway/v1/messages?beta=true',
        more.body ?? { ...CALL },
        {
          ...(more.token !== undefined && { token: more.token }),
          headers: {
            'x-guildhall-run': run,
            'x-guildhall-fence': String(fence),
            ...more.headers,
          },
        },
      ),
    async [Symbol.asyncDispose]() {
      await hall[Symbol.asyncDispose]();
      models.close();
      await model.close();
    },
  };
}

export const CALL = {
  model: 'claude-sonnet-4-6',
  max_tokens: 100,
  stream: true,
  messages: [{ role: 'user', content: 'Hello.' }],
};

async function held(hall: RunningHall): Promise<HeldRun> {
  const [task = ''] = await hall.post();
  const worker = await hall.worker({ brings_model: false });
  const { status, body } = await worker.caller.post('/v1/claims', { worker: worker.id });
  if (status !== 200) throw new Error(`no claim: ${status} ${JSON.stringify(body)}`);
  return { worker, run: body.run, fence: body.fence, task };
}
