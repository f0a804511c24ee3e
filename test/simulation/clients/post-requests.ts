import type { Dependency } from '../../../src/domain/dependencies/look-up.ts';
import { type Posted, type Posting, post } from '../../../src/domain/posting.ts';
import type { Size } from '../../../src/domain/size.ts';
import type { Keys } from '../../../src/ports/store.ts';
import type { Ledger, LedgerTask } from '../checks/ledger.ts';
import type { Request } from '../hall/message.ts';
import { PERSONA } from './declared-hall.ts';
import type { OperatorContext } from './operator.ts';

const SKILLS = { implement: 10, review: 2, 'fix-ci': 1, triage: 1, decompose: 1 } as const;
const SIZES = { XS: 1, S: 3, M: 6, L: 1, XL: 1 } as const;

/** One task or a batch, with labels, dependencies among themselves and on what is there, and children. */
export function postRequest(operator: OperatorContext, key: string): Request | undefined {
  const { random } = operator.world;
  const count = random.chance(0.6) ? 1 : random.between(2, 4);
  const project = random.any([...operator.ledger.projects.keys()]);
  if (project === undefined) return undefined;
  const postings = Array.from({ length: count }, (_, n) =>
    one(operator, project, `${key}/${n}`, n),
  );
  return {
    verb: 'post',
    actor: `operator:${key}`,
    about: JSON.stringify(postings),
    key,
    change: {
      keys: keysFor(operator.ledger, postings),
      decide: (board, now, recalled) => post(board, recalled, postings, now),
    },
    proof: (ledger, body) => everyoneIsThere(ledger, postings, JSON.parse(body)),
  };
}

/** Everything that was answered with an id is there under its title, once. */
function everyoneIsThere(
  ledger: Ledger,
  postings: readonly Posting[],
  posted: readonly Posted[],
): string | undefined {
  for (const [n, { task }] of posted.entries()) {
    const title = postings[n]?.title ?? '';
    if (ledger.tasks.get(task)?.title !== title) return `task ${task}, "${title}", is not stored`;
    const times = ledger.titles.get(title);
    if (times !== 1) return `"${title}" was posted ${times} times`;
  }
  return undefined;
}

function one(
  { world, ledger, stage }: OperatorContext,
  project: string,
  title: string,
  n: number,
): Posting {
  const { random } = world;
  const { labels, instances, kin } = stage.staging;
  const here = [...ledger.tasks.values()].filter((task) => task.project === project);
  const named = random.chance(0.1) ? random.any([...Object.keys(instances), PERSONA]) : undefined;
  return {
    project,
    title,
    body: '',
    skill: random.weighted(SKILLS),
    type: null,
    agent: named ?? null,
    labels: labels.filter(() => random.chance(0.4)),
    size: random.chance(0.5) ? (random.weighted(SIZES) as Size) : null,
    dependsOn: dependencies(here, n, random.chance(kin.depends) ? random.between(1, 2) : 0, random),
    ref: `ref ${n}`,
    parent: random.chance(kin.hasParent) ? parentFor(ledger, here, random) : null,
  };
}

function dependencies(
  here: readonly LedgerTask[],
  n: number,
  count: number,
  random: OperatorContext['world']['random'],
): readonly Dependency[] {
  return Array.from({ length: count }, (): Dependency | undefined => {
    if (n > 0 && random.chance(0.5)) return { ref: `ref ${random.below(n)}` };
    const other = random.any(here);
    if (!other) return undefined;
    return random.chance(0.5) ? { task: other.id } : { thread: other.thread };
  }).filter((dependency) => dependency !== undefined);
}

function parentFor(
  ledger: Ledger,
  here: readonly LedgerTask[],
  random: OperatorContext['world']['random'],
) {
  const open = here.filter((task) => ledger.threads.get(task.thread)?.state === 'open');
  return random.any(open)?.id ?? null;
}

/** The keys to recall so closed tasks and threads can be named. */
export function keysFor(
  ledger: Ledger,
  asked: readonly { readonly dependsOn: readonly Dependency[]; readonly parent?: number | null }[],
): Keys {
  const tasks = new Set<LedgerTask['id']>();
  const threads = new Set<LedgerTask['thread']>();
  const add = (id: LedgerTask['id']) => {
    tasks.add(id);
    const task = ledger.tasks.get(id);
    if (task) threads.add(task.thread);
  };
  for (const { dependsOn, parent } of asked) {
    for (const dependency of dependsOn) {
      if ('task' in dependency) add(dependency.task);
      if ('thread' in dependency) threads.add(dependency.thread);
    }
    if (parent) add(parent as LedgerTask['id']);
  }
  return { tasks: [...tasks], threads: [...threads] };
}
