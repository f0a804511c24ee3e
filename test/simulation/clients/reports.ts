import type { Claimed } from '../../../src/domain/claiming.ts';
import type { Child, Report } from '../../../src/domain/reporting.ts';
import type { Result } from '../../../src/domain/run.ts';
import type { Ledger } from '../checks/ledger.ts';
import { START } from '../world/clock.ts';
import type { Random } from '../world/random.ts';
import type { World } from '../world/world.ts';

interface Needs {
  readonly world: World;
  readonly ledger: Ledger;
}

export type Way = 'complete' | 'openPullRequest' | 'fail' | 'reject' | 'defer';

const RESULT: Result = { summary: 'done', branch: null, commit: null, pr: null, details: null };

/** The report of a worker, by the way its run ended. */
export function reportOn({ world, ledger }: Needs, { task, run }: Claimed, way: Way): Report {
  const { random } = world;
  switch (way) {
    case 'complete':
    case 'openPullRequest': {
      const children = childrenFor(ledger, task, random);
      const opens = way === 'openPullRequest' && children.length === 0;
      const pr = opens ? { number: run, url: `http://forge/${run}` } : null;
      return { how: 'completed', outcome: 'completed', result: { ...RESULT, pr }, children };
    }
    case 'fail':
      return { how: 'failed', reason: 'failed', result: RESULT };
    case 'reject':
      return {
        how: 'rejected',
        rejection: {
          reasonCode: 'underspecified',
          message: 'what is meant?',
          missing: [],
          questions: [],
          suggestedSize: null,
        },
      };
    case 'defer':
      return {
        how: 'deferred',
        until: START + world.now + random.between(1_000, 90_000),
        why: 'quota',
      };
  }
}

/** A decomposition proposes the required number of children, some of which wait for others. */
function childrenFor(ledger: Ledger, id: Claimed['task'], random: Random): readonly Child[] {
  const task = ledger.tasks.get(id);
  if (task?.skill !== 'decompose') return [];
  const size = ledger.threads.get(task.thread)?.size;
  const count = size === 'XL' ? 5 : random.between(2, 3);
  return Array.from({ length: count }, (_, n) => ({
    title: `child ${n} of ${id}`,
    body: '',
    labels: [],
    dependsOn: n > 0 && random.chance(0.4) ? [{ ref: `part ${random.below(n)}` }] : [],
    ref: `part ${n}`,
    skill: 'implement',
  }));
}
