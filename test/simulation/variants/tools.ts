import type { Variant } from '../variant.ts';

const APPROVING = 'src/domain/tool-gate.ts';

/** Mistakes about the tools of agents and what people say about them. */
export const TOOLS: readonly Variant[] = [
  {
    name: 'approval-used-twice',
    about: 'one approval lets the same call through again and again',
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
    about: 'a call of a tool for a run that is over counts for another',
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
    about: 'what a person says about a call is known and not stored',
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
    about: 'an approval is answered by who never saw it',
    scenario: 'approvals',
    seeds: 250,
    patches: [
      { file: APPROVING, text: 'if (approval.nonce !== nonce)', instead: "if (nonce === '')" },
    ],
  },
  {
    name: 'impatient-hall',
    about: 'a question expires before its time',
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
