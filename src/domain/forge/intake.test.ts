import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  ADA,
  ForgeBoard,
  HALL,
  issue,
  label,
  MALLORY,
  pull,
  ROBOT,
} from '../../../test/support/forge-board.ts';
import { readyToMerge } from '../merging/policy.ts';
import { takeClosedIssue } from './take-issue.ts';
import { newTriggers } from './take-labels.ts';
import { takePullRequest } from './take-pull-request.ts';

const NOTHING = { task: () => undefined, thread: () => undefined };

describe('labels on an issue', () => {
  test('a label of a type posts an implement task for it, with the text of the issue', () => {
    const table = ForgeBoard.open().labelled(label('hall:dev'));
    const posted = table.events.find((event) => event.type === 'TaskPosted');
    assert.equal(posted?.task.title, 'Sum');
    assert.equal(posted?.task.body, 'It is off.');
    assert.equal(posted?.task.actor, 'github:ada');
    assert.deepEqual(table.thread.forge.issue?.number, 7);
  });

  test('the same label event counts once, however often the issue is looked at', () => {
    const table = ForgeBoard.open().labelled(label('hall:dev'));
    const result = table.look({ issue: issue({ labels: [label('hall:dev')] }) });
    assert.deepEqual(newTriggers(table.board, result), []);
    assert.deepEqual(table.labelled(label('hall:dev')).skills, ['implement']);
  });

  test('a label that is set again while its work is open posts nothing', () => {
    const table = ForgeBoard.open().labelled(label('hall:dev'));
    assert.deepEqual(table.labelled(label('hall:dev', ADA, 'e-2')).skills, ['implement']);
  });

  test('a second agent on the same issue joins its thread behind the first', () => {
    const table = ForgeBoard.open().labelled(label('hall:dev'), label('hall:dev-default'));
    assert.deepEqual([table.board.threads.size, table.skills.length], [1, 2]);
  });

  for (const [by, who] of [
    [MALLORY, 'a person without write access'],
    [HALL, 'the hall itself'],
    [null, 'an account that is gone'],
  ] as const) {
    test(`a label that ${who} set starts nothing, is answered and taken off`, () => {
      const table = ForgeBoard.open().labelled(label('hall:dev', by));
      assert.equal(table.board.tasks.size, 0);
      assert.match(table.replies.join(), /needs write access to the repository/);
      const [reply] = table.board.replies.values();
      assert.equal(reply?.removesLabel, 'hall:dev');
    });
  }

  test('a label of another bot counts if the author of the issue has write access', () => {
    assert.deepEqual(ForgeBoard.open().labelled(label('hall:dev', ROBOT)).skills, ['implement']);
  });

  test('an unknown agent is answered with the agents there are', () => {
    const table = ForgeBoard.open().labelled(label('hall:fixer'));
    assert.match(
      table.replies.join(),
      /no agent `fixer`\. Agents of this hall: `reviewer`, .*`boss`, /,
    );
  });

  test('labels of the hall that show a state start nothing', () => {
    const table = ForgeBoard.open().labelled(label('hall:awaiting-input'), label('hall:queued'));
    assert.deepEqual([table.board.tasks.size, table.replies], [0, []]);
  });

  test('hall:dispatch-automaton posts a triage', () => {
    const table = ForgeBoard.open().labelled(label('hall:dispatch-automaton'));
    assert.deepEqual(table.skills, ['triage']);
  });
});

describe('comments', () => {
  test('a mention of an agent posts its work with the comment', () => {
    const table = ForgeBoard.open().commented(ADA, '@the-hall dev, please');
    assert.deepEqual(table.skills, ['implement']);
  });

  test('a mention followed by ordinary words names no agent', () => {
    const table = ForgeBoard.open().commented(ADA, '@the-hall please look at this');
    assert.deepEqual([table.board.tasks.size, table.replies], [0, []]);
  });

  test('an unknown agent in a mention is answered', () => {
    const table = ForgeBoard.open().commented(ADA, '@the-hall agent: nobody-here');
    assert.match(table.replies.join(), /There is no agent `nobody-here`/);
  });

  test('a mention in a quote or in code is none', () => {
    const table = ForgeBoard.open().commented(
      ADA,
      '> @the-hall dev\n`@the-hall dev`\n```\n@the-hall dev\n```',
    );
    assert.equal(table.board.tasks.size, 0);
  });

  for (const by of [MALLORY, ROBOT, HALL]) {
    test(`a comment of ${by.login} triggers and answers nothing`, () => {
      const table = ForgeBoard.open().commented(by, '@the-hall dev');
      assert.deepEqual([table.board.tasks.size, table.replies], [0, []]);
    });
  }

  test('/cancel cancels the open task, and /why on an idle issue says so', () => {
    const table = ForgeBoard.open().labelled(label('hall:dev')).commented(ADA, '/cancel not now');
    assert.equal(table.board.tasks.size, 0);
    assert.match(table.replies.join(), /^Cancelled t-\d+\.$/);
    assert.match(table.commented(ADA, '/why').replies.join(), /no open work of this hall here/);
  });

  test('/handover by a person with the right stops the agents of the thread', () => {
    const table = ForgeBoard.open().labelled(label('hall:dev')).commented(ADA, '/handover I do it');
    assert.equal(table.thread.handedOver?.because, 'I do it');
    const ignored = ForgeBoard.open().labelled(label('hall:dev')).commented(MALLORY, '/handover');
    assert.equal(ignored.thread.handedOver, null);
  });

  test('an issue that is triggered ten times in an hour is left to a person', () => {
    const table = ForgeBoard.open().labelled(label('hall:dev'));
    for (let times = 0; times < 12; times += 1) {
      for (const id of [...table.board.tasks.keys()].slice(1)) {
        const state = { is: 'failed', since: 0, reason: 'failed', summary: '' } as const;
        table.apply({ type: 'TaskCancelled', task: id, state });
      }
      table.commented(ADA, `@the-hall ${times % 2 ? 'dev-default' : 'boss'} again`);
    }
    assert.match(table.thread.handedOver?.because ?? '', /triggered 10 times within an hour/);
  });
});

describe('reviews of a pull request', () => {
  test('changes that a person requests are addressed, and count as one round', () => {
    const table = ForgeBoard.open().labelled(label('hall:dev')).opened();
    table.reviewed(ADA, 'changes_requested');
    assert.deepEqual([table.skills, table.thread.forge.rounds], [['address-review'], 1]);
  });

  test('an approval posts nothing, nor does a review by someone without write access', () => {
    const table = ForgeBoard.open().labelled(label('hall:dev')).opened();
    table.reviewed(ADA, 'approved').reviewed(MALLORY, 'changes_requested');
    assert.deepEqual(table.skills, []);
  });

  test('a comment review is feedback only if it mentions the hall', () => {
    const table = ForgeBoard.open().labelled(label('hall:dev')).opened();
    assert.deepEqual(table.reviewed(ADA, 'commented').skills, []);
    const asked = table.reviewed(ADA, 'commented', { body: '@the-hall rename this' });
    assert.deepEqual(asked.skills, ['address-review']);
  });
});

describe('what happened to an issue and its pull request', () => {
  test('a closed issue cancels its waiting task', () => {
    const table = ForgeBoard.open().labelled(label('hall:dev'));
    const result = table.look({ issue: issue({ isOpen: false }) });
    table.do(takeClosedIssue(table.board, NOTHING, result, table.now));
    assert.equal(table.board.tasks.size, 0);
  });

  test('a pull request that someone merged completes the thread', () => {
    const table = ForgeBoard.open().labelled(label('hall:dev')).opened();
    const result = table.look({ pull: pull({ state: 'merged', endedBy: ADA }) });
    table.do(takePullRequest(table.board, NOTHING, result, table.now));
    assert.equal(table.board.threads.size, 0);
    assert.equal(table.board.issues.get('github:acme/shop#7')?.unsettled, true);
  });

  test('a head that someone moved starts the checks and the count of retries again', () => {
    const table = ForgeBoard.open().labelled(label('hall:dev')).opened();
    const result = table.look({ pull: pull({ head: 'c2' }) });
    table.do(takePullRequest(table.board, NOTHING, result, table.now));
    assert.deepEqual([table.thread.forge.head, table.thread.forge.ciRetries], ['c2', 0]);
  });

  test('a pull request that someone closed ends the thread', () => {
    const table = ForgeBoard.open().labelled(label('hall:dev')).opened();
    const result = table.look({ pull: pull({ state: 'closed', endedBy: ADA }) });
    table.do(takePullRequest(table.board, NOTHING, result, table.now));
    assert.equal(table.board.threads.size, 0);
  });
});

describe('the head and the verdicts of a pull request', () => {
  test('a look that began before a run reported its push does not move the head back', () => {
    const table = ForgeBoard.open().labelled(label('hall:dev')).opened();
    const stale = table.look({ pull: pull({ head: 'c1' }) });
    table.pushed('c2');
    table.do(takePullRequest(table.board, NOTHING, stale, table.now));
    assert.equal(table.thread.forge.head, 'c2');
    const fresh = table.look({ pull: pull({ head: 'c3' }) });
    table.do(takePullRequest(table.board, NOTHING, fresh, table.now));
    assert.equal(table.thread.forge.head, 'c3');
  });

  test('a push by a person counts also while a review waits', () => {
    const table = ForgeBoard.open().labelled(label('hall:dev')).opened();
    table.reviewed(ADA, 'changes_requested');
    assert.deepEqual(table.skills, ['address-review']);
    const moved = table.look({ pull: pull({ head: 'c3' }) });
    table.do(takePullRequest(table.board, NOTHING, moved, table.now));
    assert.equal(table.thread.forge.head, 'c3');
  });

  const BOB = { id: 9, login: 'bob', isBot: false };
  for (const [when, reviews, isReady] of [
    ['an approval of the head', [[ADA, 'approved', 'c1']], true],
    ['an approval of another commit', [[ADA, 'approved', 'c0']], false],
    [
      'an approval of the head, then a late one of another commit',
      [
        [ADA, 'approved', 'c1'],
        [ADA, 'approved', 'c0'],
      ],
      true,
    ],
    [
      'a request for changes on an older commit by somebody else',
      [
        [BOB, 'changes_requested', 'c0'],
        [ADA, 'approved', 'c1'],
      ],
      false,
    ],
    [
      'a request for changes that its author withdrew',
      [
        [BOB, 'changes_requested', 'c0'],
        [BOB, 'approved', 'c1'],
      ],
      true,
    ],
  ] as const) {
    test(`${when}: ${isReady ? 'is merged' : 'waits'}`, () => {
      const table = ForgeBoard.open().labelled(label('hall:dev')).opened();
      for (const [by, is, commit] of reviews) {
        const verdict = { commit, is, by: by.login, type: null, account: by.id };
        table.apply({ type: 'ReviewGiven', thread: table.thread.id, verdict, text: '' });
      }
      const checks = { commit: 'c1', is: 'green', failing: [] } as const;
      table.apply({ type: 'ChecksReported', thread: table.thread.id, checks, excerpt: '' });
      const settings = table.board.projects.get('shop')?.settings ?? assert.fail();
      assert.equal(readyToMerge(table.thread, settings), isReady);
    });
  }
});
