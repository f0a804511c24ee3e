import { declare } from '../../../src/domain/apply-config.ts';
import { drain, type Pausable, pause, resume } from '../../../src/domain/pausing.ts';
import type { Instance } from '../../../src/domain/pool.ts';
import { parkInvoker } from '../../../src/domain/provider-limits.ts';
import { drainWorker } from '../../../src/domain/registering.ts';
import type { Request } from '../hall/message.ts';
import type { OperatorContext } from './operator.ts';

/** Requests of operators about the hall, its projects, its pool and its configuration. */
export const POOL_REQUESTS = {
  pause: ({ world, ledger }: OperatorContext, key: string) => {
    const what = pausable({ world, ledger });
    return asked(key, `pause ${JSON.stringify(what)}`, (board, now) =>
      pause(board, what, 'look', now),
    );
  },
  resume: ({ ledger, world }: OperatorContext, key: string) => {
    const what = world.random.any(pausedThings(ledger));
    return what && asked(key, `resume ${JSON.stringify(what)}`, (board) => resume(board, what));
  },
  /** As the gateway does when a provider reports that a limit is reached. */
  parkInvoker: ({ world, ledger }: OperatorContext, key: string) => {
    const handle = world.random.any([...ledger.invokers.keys()]);
    if (handle === undefined) return undefined;
    const wait = world.random.between(500, 20_000);
    return asked(key, `park ${handle} for ${wait}`, (board, now) =>
      parkInvoker(board, handle, { failure: 'quota', until: now.at + wait, because: '429' }, now),
    );
  },
  drain: (_: OperatorContext, key: string) =>
    asked(key, 'drain', (board, now) => drain(board, null, now)),
  drainWorker: ({ world, ledger }: OperatorContext, key: string) => {
    const id = world.random.any([...ledger.workers.keys()]);
    return id && asked(key, `drain worker ${id}`, (board) => drainWorker(board, id));
  },
  redeclare: ({ world, stage }: OperatorContext, key: string) => {
    const { projects, invokers } = stage.staging;
    const { random } = world;
    const project = random.pick(Object.keys(projects));
    stage.setCapacity(project, random.between(1, 4));
    const invoker = random.any(Object.keys(invokers));
    if (invoker) stage.setCap(invoker, random.between(2, 40));
    return declareRequest(stage, key);
  },
  toggleProject: ({ world, stage }: OperatorContext, key: string) => {
    stage.toggle(world.random.pick(Object.keys(stage.staging.projects)));
    return declareRequest(stage, key);
  },
  setInstance: ({ world, ledger, stage }: OperatorContext, key: string) => {
    const names = Object.keys(stage.staging.instances);
    const before = ledger.instances.get(world.random.any(names) ?? '');
    return before && setInstanceRequest(key, varied(before, { world, stage }));
  },
} as const;

export function declareRequest(stage: OperatorContext['stage'], key: string): Request {
  return asked(key, 'redeclare', (board, now) => declare(board, stage.declaration, now));
}

/** There is no command for it yet, so the event is made by hand; it keeps what the board has paused. */
export function setInstanceRequest(key: string, instance: Instance): Request {
  return asked(key, `set ${JSON.stringify(instance)}`, (board) => {
    const paused = board.instances.get(instance.name)?.paused ?? null;
    return { events: [{ type: 'InstanceSet', instance: { ...instance, paused } }], answer: true };
  });
}

function varied(
  before: Instance,
  { world, stage }: Pick<OperatorContext, 'world' | 'stage'>,
): Instance {
  const { random } = world;
  const { labels } = stage.staging;
  const settings = {
    ...before.settings,
    parallel: random.between(0, 3),
    enabled: random.chance(0.85),
    matchLabels: random.chance(0.5) ? labels.filter(() => random.chance(0.4)) : [],
  };
  return { ...before, settings };
}

function pausable({ world, ledger }: Pick<OperatorContext, 'world' | 'ledger'>): Pausable {
  const { random } = world;
  const things: Pausable[] = [{ kind: 'hall' }];
  const project = random.any([...ledger.projects.keys()]);
  const instance = random.any([...ledger.instances.keys()]);
  const invoker = random.any([...ledger.invokers.keys()]);
  if (project) things.push({ kind: 'project', name: project });
  if (instance) things.push({ kind: 'instance', name: instance });
  if (invoker) things.push({ kind: 'invoker', name: invoker });
  return random.pick(things);
}

/** Everything that is paused now. */
export function pausedThings(ledger: OperatorContext['ledger']): readonly Pausable[] {
  const { hall, projects, instances, invokers } = ledger;
  return [
    ...(hall.paused || hall.draining ? [{ kind: 'hall' } as const] : []),
    ...[...projects].flatMap(([name, { paused }]) =>
      paused ? [{ kind: 'project', name } as const] : [],
    ),
    ...[...instances].flatMap(([name, { paused }]) =>
      paused ? [{ kind: 'instance', name } as const] : [],
    ),
    ...[...invokers].flatMap(([name, { isPaused }]) =>
      isPaused ? [{ kind: 'invoker', name } as const] : [],
    ),
  ];
}

function asked(
  key: string,
  about: string,
  decide: NonNullable<Request['change']>['decide'],
): Request {
  const [verb = about] = about.split(' ');
  return { verb, actor: `operator:${key}`, about, key, change: { decide } };
}
