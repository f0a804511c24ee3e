import type { Happening } from '../../api/operation.ts';

/** A line of the story. */
export interface Line {
  readonly who: string;
  readonly text: string;
  readonly tone: 'plain' | 'good' | 'bad';
}

type Facts = Readonly<Record<string, unknown>>;

/** Turns what happens on the board into a story, in the words of somebody who watches. */
export function createTeller() {
  const titles = new Map<string, string>();
  const skills = new Map<string, string>();
  const runs = new Map<string, { readonly task: string; readonly who: string }>();
  const workers = new Map<string, string>();

  function told(type: string, facts: Facts): Line | undefined {
    const text = (name: string) => String(facts[name] ?? '');
    switch (type) {
      case 'TaskPosted': {
        skills.set(text('task'), text('skill'));
        if (!titles.has(text('thread'))) titles.set(text('thread'), text('title'));
        return posted(text, facts);
      }
      case 'WorkerRegistered':
        workers.set(text('worker'), text('instance'));
        return undefined;
      case 'RunClaimed': {
        const who = workers.get(text('worker')) ?? text('worker');
        runs.set(text('run'), { task: text('task'), who });
        return {
          who,
          text: `claims ${text('task')}: ${CLAIMS[skillOf(text('task'))] ?? skillOf(text('task'))}`,
          tone: 'plain',
        };
      }
      case 'RunEnded':
        return ended(text('run'), facts);
      case 'ChecksReported':
        return text('checks') === 'green'
          ? { who: 'hall', text: 'ran the checks: green', tone: 'good' }
          : { who: 'hall', text: `ran the checks: ${list(facts['failing'])} failed`, tone: 'bad' };
      case 'ThreadLanded':
        return {
          who: 'hall',
          text: `merged "${titles.get(text('thread'))}" into main`,
          tone: 'good',
        };
      case 'TaskUnblocked':
        return {
          who: 'board',
          text: `${text('task')} may start now, from what was merged: no conflict to solve`,
          tone: 'plain',
        };
      default:
        return undefined;
    }
  }

  function skillOf(task: string): string {
    return skills.get(task) ?? '';
  }

  function ended(run: string, facts: Facts): Line | undefined {
    const known = runs.get(run);
    const ending = (facts['ending'] ?? {}) as Facts;
    if (!known) return undefined;
    const said = String(ending['summary'] ?? ending['because'] ?? '');
    const { verdict } = ending;
    if (verdict === 'changes_requested') {
      return { who: known.who, text: `asks for changes: ${said}`, tone: 'bad' };
    }
    if (verdict === 'approved') return { who: known.who, text: `approves: ${said}`, tone: 'good' };
    const isGood = ending['how'] === 'completed';
    return {
      who: known.who,
      text: isGood ? said : `${ending['how']}: ${said}`,
      tone: isGood ? 'plain' : 'bad',
    };
  }

  return ({ type, facts }: Pick<Happening, 'type' | 'facts'>): Line | undefined =>
    told(type, facts as Facts);
}

function posted(text: (name: string) => string, facts: Facts): Line | undefined {
  if (facts['labels'] === undefined) return undefined;
  const waits =
    text('state') === 'blocked'
      ? ', which waits for the one before: both touch the same lines'
      : '';
  return { who: 'you', text: `post ${text('task')} "${text('title')}"${waits}`, tone: 'plain' };
}

function list(values: unknown): string {
  return Array.isArray(values) ? values.join(', ') : '';
}

const CLAIMS: Readonly<Record<string, string>> = {
  implement: 'implement it',
  'fix-ci': 'mend the checks',
  review: 'review the change',
  'address-review': 'address the review',
  rebase: 'bring the branch up to date',
};
