import assert from 'node:assert/strict';
import type { ClosedWork } from '../../src/domain/closed-work.ts';
import type { LookResult } from '../../src/domain/forge/look-result.ts';
import type {
  Account,
  Comment,
  ForgeReview,
  ForgeSnapshot,
  IssueSnapshot,
  Permission,
  PullSnapshot,
  SetLabel,
} from '../../src/domain/forge/snapshot.ts';
import { takeComment } from '../../src/domain/forge/take-comment.ts';
import { newTriggers, takeLabel } from '../../src/domain/forge/take-labels.ts';
import { takeReview } from '../../src/domain/forge/take-review.ts';
import type { Project } from '../../src/domain/project.ts';
import type { Thread } from '../../src/domain/thread.ts';
import { BoardFixture, NOBODY_WAITS } from './board-fixture.ts';

export const REPO = 'github:acme/shop';

export const HALL: Account = { id: 1, login: 'the-hall', isBot: false };
export const ADA: Account = { id: 2, login: 'ada', isBot: false };
export const MALLORY: Account = { id: 3, login: 'mallory', isBot: false };
export const ROBOT: Account = { id: 4, login: 'renovate', isBot: true };

const PERMISSIONS: ReadonlyMap<number, Permission> = new Map([
  [ADA.id, 'write'],
  [MALLORY.id, 'read'],
  [ROBOT.id, 'admin'],
]);

const NOTHING_CLOSED: ClosedWork = { task: () => undefined, thread: () => undefined };

/** A board with one project on a connected forge, and looks at its issue 7. */
export class ForgeBoard extends BoardFixture {
  /** Who is in which team. */
  teams: ReadonlyMap<number, ReadonlySet<string>> = new Map();

  static open(): ForgeBoard {
    const table = new ForgeBoard();
    table.apply({
      type: 'ForgeConnected',
      forge: { name: 'github', kind: 'github', url: 'https://github.com' },
    });
    table.project('shop', { repo: REPO, mergePolicy: 'on-approval' });
    for (const type of ['boss', 'dev', 'reviewer'])
      table.type(type).instance(`${type}-default`, type);
    return table;
  }

  look(snapshot: Partial<ForgeSnapshot> = {}): LookResult {
    const project = this.board.projects.get('shop') as Project;
    return {
      repo: REPO,
      number: 7,
      project,
      snapshot: { issue: issue(), pull: null, ...snapshot },
      headBefore: [...this.board.threads.values()][0]?.forge.head ?? null,
      rights: { own: HALL, permissions: PERMISSIONS, teams: this.teams },
      workforce: { waiting: NOBODY_WAITS, recruiting: () => null },
    };
  }

  labelled(...labels: readonly SetLabel[]): this {
    const result = this.look({ issue: issue({ labels }) });
    for (const trigger of newTriggers(this.board, result)) {
      this.do(takeLabel(this.board, NOTHING_CLOSED, { result, trigger }, this.now));
    }
    return this;
  }

  commented(by: Account, body: string, id = this.board.seq + 100): this {
    const result = this.look();
    const comment: Comment = { id, author: by, body, at: this.at, url: '' };
    this.do(takeComment(this.board, NOTHING_CLOSED, { result, comment }, this.now));
    return this;
  }

  reviewed(by: Account, is: ForgeReview['is'], more: Partial<ForgeReview> = {}): this {
    const result = this.look({ pull: pull() });
    const review: ForgeReview = {
      ...{
        id: this.board.seq + 100,
        author: by,
        is,
        commit: 'c1',
        body: 'Look here.',
        comments: [],
      },
      ...{ at: this.at, ...more },
    };
    this.do(takeReview(this.board, NOTHING_CLOSED, { result, review }, this.now));
    return this;
  }

  /** The one thread on the board. */
  get thread(): Thread {
    const [thread] = this.board.threads.values();
    return thread ?? assert.fail('there is no thread');
  }

  get skills(): readonly string[] {
    return [...this.board.tasks.values()].map(({ skill }) => skill);
  }

  get replies(): readonly string[] {
    return [...this.board.replies.values()].map(({ text }) => text);
  }

  /** Ends all open tasks. */
  cancelAll(): this {
    for (const id of [...this.board.tasks.keys()]) {
      const since = this.at;
      const state = { is: 'completed', since, outcome: 'pr_created', summary: '' } as const;
      this.apply({ type: 'TaskCancelled', task: id, state });
    }
    return this;
  }

  /** An agent pushed a commit. */
  pushed(head: string): this {
    this.cancelAll();
    this.board.putThread({ ...this.thread, forge: { ...this.thread.forge, head } });
    return this;
  }

  /** The branch was pushed and its pull request is open. */
  opened(): this {
    this.cancelAll();
    const { id } = this.thread;
    this.board.putThread({
      ...this.thread,
      forge: { ...this.thread.forge, branch: 'hall/dev/issue-7', head: 'c1' },
    });
    const pr = { number: 8, url: 'https://github.com/acme/shop/pull/8' };
    return this.apply({ type: 'PullRequestOpened', thread: id, pr });
  }
}

export function issue(more: Partial<IssueSnapshot> = {}): IssueSnapshot {
  return {
    ...{
      number: 7,
      url: 'https://github.com/acme/shop/issues/7',
      title: 'Sum',
      body: 'It is off.',
    },
    ...{ author: ADA, isOpen: true, updatedAt: 0, labels: [], assignees: [], comments: [] },
    ...more,
  };
}

export function pull(more: Partial<PullSnapshot> = {}): PullSnapshot {
  return {
    ...{ number: 8, url: 'https://github.com/acme/shop/pull/8', title: 'Sum', body: '' },
    ...{ author: HALL, state: 'open', isDraft: false, branch: 'hall/dev/issue-7' },
    ...{ isSameRepository: true, head: 'c1', base: 'main', baseCommit: 'b1', isMergeable: true },
    ...{ endedBy: null, labels: [], comments: [], reviews: [], requestedReviewers: [], checks: [] },
    ...more,
  };
}

export function label(name: string, by: Account | null = ADA, event = `e-${name}`): SetLabel {
  return { name, by, at: 1_000, event };
}
