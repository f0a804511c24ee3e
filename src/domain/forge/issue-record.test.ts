import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ADA, ForgeBoard, label, REPO } from '../../../test/support/forge-board.ts';
import { homeOf } from './issue-record.ts';
import { requestLooks } from './request-looks.ts';

it('a pull request is read with its issue while their thread is open, so a review on it counts once', () => {
  const table = ForgeBoard.open().labelled(label('hall:dev')).opened();
  assert.deepEqual(homeOf(table.board, REPO, 8), { repo: REPO, number: 7 });
  assert.deepEqual(homeOf(table.board, REPO, 9), { repo: REPO, number: 9 });
  const hint = { repo: REPO, numbers: [8, 7], commits: ['c1'], branches: ['hall/dev/issue-7'] };
  const { events } = requestLooks(table.board, { ...hint, underWay: new Map() }, 1);
  assert.deepEqual(
    events.map((event) => event.type === 'LookRequested' && event.look.number),
    [7],
  );
});

it('what was read with the issue is not read again from its pull request when the thread has ended', () => {
  const table = ForgeBoard.open().labelled(label('hall:dev')).opened();
  table.reviewed(ADA, 'approved', { id: 55 }).commented(ADA, 'Thanks.', 66);
  const seen = table.board.issues.get(`${REPO}#8`)?.seen;
  assert.deepEqual([seen?.review, seen?.comment], [55, 66]);
});
