import type { EventRecord } from '../../api/overview.ts';

export interface Line {
  readonly who: string;
  readonly text: string;
  readonly tone: 'plain' | 'good' | 'bad';
}

type Facts = Readonly<Record<string, unknown>>;

/** Turns events of the board into a story, as an observer would tell it. */
export class Narrator {
  readonly #titles = new Map<string, string>();
  readonly #skills = new Map<string, string>();
  readonly #runs = new Map<string, string>();
  readonly #workers = new Map<string, string>();

  narrate({ type, facts }: Pick<EventRecord, 'type' | 'facts'>): Line | undefined {
    const text = (name: string) => String(facts[name] ?? '');
    switch (type) {
      case 'TaskPosted':
        return this.#posted(facts, text);
      case 'WorkerRegistered':
        this.#workers.set(text('worker'), text('instance'));
        return undefined;
      case 'RunClaimed':
        return this.#claimed(text);
      case 'RunEnded':
        return this.#ended(text('run'), facts);
      case 'ChecksReported':
        return text('checks') === 'green'
          ? good('hall', 'ran the checks: green')
          : bad('hall', `ran the checks: ${list(facts['failing'])} failed`);
      case 'PullRequestMerged':
        return good('hall', `merged "${this.#titles.get(text('thread'))}" into main`);
      case 'TaskUnblocked':
        return plain(
          'board',
          `${text('task')} can start now, on top of the merged change: no conflict to solve`,
        );
      default:
        return undefined;
    }
  }

  /** Narrates only the first task of a thread here; later ones appear when they are claimed. */
  #posted(facts: Facts, text: (name: string) => string): Line | undefined {
    this.#skills.set(text('task'), text('skill'));
    if (this.#titles.has(text('thread'))) return undefined;
    this.#titles.set(text('thread'), text('title'));
    const waits =
      list(facts['depends_on']) === ''
        ? ''
        : ', to start after the first: both touch the same lines';
    return plain('you', `post ${text('task')} "${text('title')}"${waits}`);
  }

  #claimed(text: (name: string) => string): Line {
    const who = this.#workers.get(text('worker')) ?? text('worker');
    const skill = this.#skills.get(text('task')) ?? '';
    this.#runs.set(text('run'), who);
    return plain(who, `claims ${text('task')}: ${CLAIMS[skill] ?? skill}`);
  }

  #ended(run: string, facts: Facts): Line | undefined {
    const who = this.#runs.get(run);
    const ending = (facts['ending'] ?? {}) as Facts;
    if (who === undefined) return undefined;
    const summary = String(ending['summary'] ?? ending['because'] ?? '');
    if (ending['verdict'] === 'changes_requested') return bad(who, `requests changes: ${summary}`);
    if (ending['verdict'] === 'approved') return good(who, `approves: ${summary}`);
    return ending['how'] === 'completed'
      ? plain(who, summary)
      : bad(who, `${ending['how']}: ${summary}`);
  }
}

function plain(who: string, text: string): Line {
  return { who, text, tone: 'plain' };
}

function good(who: string, text: string): Line {
  return { who, text, tone: 'good' };
}

function bad(who: string, text: string): Line {
  return { who, text, tone: 'bad' };
}

function list(values: unknown): string {
  return Array.isArray(values) ? values.join(', ') : '';
}

const CLAIMS: Readonly<Record<string, string>> = {
  triage: 'choose who should do it',
  implement: 'implement it',
  'fix-ci': 'fix the checks',
  review: 'review the change',
  'address-review': 'address the review',
  rebase: 'bring the branch up to date',
};
