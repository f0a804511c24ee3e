import type { Variant } from '../variant.ts';

const APPROVING = 'src/domain/tool-gate.ts';

/** Mistakes in tool calls and their approvals. */
export const TOOLS: readonly Variant[] = [
  {
    name: 'approval-used-twice',
    about: 'one approval covers the same call several times',
    scenario: 'approvals',
    seeds: 200,
    patches: [
      {
        file: APPROVING,
        text: 'hash === call.hash && usedAt === null',
        instead: 'hash === call.hash',
      },
    ],
  },
  {
    name: 'tools-after-the-end',
    about: 'a tool call for an ended run counts for another run',
    scenario: 'approvals',
    seeds: 200,
    patches: [
      {
        file: APPROVING,
        text: 'const run = checkLease(board, lease);',
        instead:
          'const run = board.runs.get(lease.run) ?? [...board.runs.values()][0] ?? checkLease(board, lease);',
      },
    ],
  },
  {
    name: 'answers-in-memory',
    about: "a person's answer to a call is applied but not stored",
    scenario: 'approvals',
    seeds: 50,
    patches: [
      {
        file: 'src/domain/evolve-approval.ts',
        text: 'return before ? putApproval(board, { ...before, ...change }) : [];',
        instead: 'if (before) putApproval(board, { ...before, ...change }); return [];',
      },
    ],
  },
  {
    name: 'any-nonce',
    about: 'an approval is answered with a wrong nonce',
    scenario: 'approvals',
    seeds: 250,
    patches: [
      { file: APPROVING, text: 'if (approval.nonce !== nonce)', instead: "if (nonce === '')" },
    ],
  },
  {
    name: 'impatient-hall',
    about: 'an approval request expires too early',
    scenario: 'approvals',
    seeds: 50,
    patches: [
      {
        file: 'src/board/expire-approvals.ts',
        text: 'liveness.overdue(openApprovals(writer.board), times.approval)',
        instead: 'liveness.overdue(openApprovals(writer.board), times.approval / 4)',
      },
    ],
  },
];
