import type { TOOL_ROUTES } from '../../api/tool-routes.ts';
import type { Approval as ApprovalOut } from '../../api/tools.ts';
import type { Hall } from '../../board/hall.ts';
import { readBoard } from '../../board/read-board.ts';
import { type Approval, isOpenApproval } from '../../domain/approval.ts';
import { removeRule, setRule } from '../../domain/edit-rules.ts';
import { type ApprovalId, nameOf, numberIn, type RuleId } from '../../domain/ids.ts';
import { isRefusal, refuse } from '../../domain/refusal.ts';
import { answerApproval } from '../../domain/tool-gate.ts';
import type { Shell } from '../../ports/shell.ts';
import { type DecisionQuery, decisionId } from '../../ports/store.ts';
import { approvalDetail } from '../../queries/approval-detail.ts';
import { checkFilter } from '../../queries/check-filters.ts';
import { ruleFrom, testRules } from '../../queries/rule-tests.ts';
import { runIn } from '../../queries/views/ids-and-times.ts';
import { approvalView, decisionView, ruleView } from '../../queries/views/tool.ts';
import { createApprovalWaits } from '../approval-waits.ts';
import { changeBoard } from '../board-access.ts';
import type { Caller } from '../caller.ts';
import { leaseOf } from '../lease.ts';
import type { Operations, RequestContext } from '../request-context.ts';
import { createToolCalls } from '../tool-calls.ts';
import { invalid } from '../validate-request.ts';

type ToolNeeds = Parameters<typeof createToolCalls>[0];

export function toolRoutes({ hall, shell, redact }: ToolNeeds) {
  const call = createToolCalls({ hall, shell, redact });

  return {
    ...approvalRoutes(hall),
    ...ruleRoutes(hall, shell),

    callTool: (context) => call(context, leaseOf(hall, context), context.body),

    listDecisions: async ({ query }) => {
      const { rows, next } = await hall.store.decisions(decisionQuery(query));
      const mistake =
        rows.length === 0 && invalid(checkFilter(hall.board, { project: query.project }));
      return (
        mistake || { status: 200, body: { decisions: rows.map(decisionView), next: next ?? null } }
      );
    },
  } satisfies Pick<Operations, keyof typeof TOOL_ROUTES>;
}

function decisionQuery(query: RequestContext<'listDecisions'>['query']): DecisionQuery {
  const { project, verdict, by, run, since, until, after, limit } = query;
  return {
    limit,
    ...(project !== undefined && { project }),
    ...(verdict !== undefined && { verdict }),
    ...(by !== undefined && { by }),
    ...(run !== undefined && { run: runIn(run) }),
    ...(since !== undefined && { since: Date.parse(since) }),
    ...(until !== undefined && { until: Date.parse(until) }),
    ...(after !== undefined && { before: after }),
  };
}

function approvalRoutes(hall: Hall) {
  const waits = createApprovalWaits(hall);
  const detail = (approval: Approval, caller: Caller) =>
    approvalDetail(hall, approval, { mayAnswer: mayAnswer(caller) });

  return {
    listApprovals: async ({ query, caller }) => {
      const open = await readBoard(hall, (board) =>
        [...board.approvals.values()].filter(
          (each) => isOpenApproval(each) && (query.project ?? each.project) === each.project,
        ),
      );
      const mistake =
        open.length === 0 && invalid(checkFilter(hall.board, { project: query.project }));
      if (mistake) return mistake;
      const approvals = await Promise.all(open.map((each) => detail(each, caller)));
      return { status: 200, body: { approvals } };
    },

    getApproval: async ({ params, query, caller, response }) => {
      const id = approvalIn(params.id);
      const isOwn = (approval: Approval | undefined) =>
        caller.kind !== 'worker' || approval?.worker === caller.worker;
      const now = await readBoard(hall, (board) => board.approvals.get(id));
      if (!now || !isOwn(now)) return unknownApproval(params.id);
      if (isOpenApproval(now) && query.wait_seconds > 0) {
        await waits.answered(id, query.wait_seconds * 1_000, response);
      }
      const then = await readBoard(hall, (board) => board.approvals.get(id));
      return then ? { status: 200, body: await detail(then, caller) } : unknownApproval(params.id);
    },

    ...answerRoute(hall, detail),
  } satisfies Pick<Operations, 'listApprovals' | 'getApproval' | 'answerApproval'>;
}

/** Workers request approvals; only others may answer them. */
function mayAnswer({ kind }: Caller): boolean {
  return kind === 'operator' || kind === 'anyone';
}

type DetailOf = (approval: Approval, caller: Caller) => Promise<ApprovalOut>;

function answerRoute(hall: Hall, detail: DetailOf) {
  return {
    answerApproval: async (context) => {
      const { answer, nonce, because, promote } = context.body;
      const how = answer === 'approve' ? 'approved' : 'denied';
      const id = approvalIn(context.params.id);
      const input = { approval: id, nonce, because, promote, how } as const;
      const before = await readBoard(hall, (board) => board.approvals.get(id));
      const shown = before && (await detail(before, context.caller));
      return changeBoard(hall, context, {
        decide: (board, now) => answerApproval(board, input, now),
        decided: (approval, { at, actor }) => [
          {
            ...loggedAnswer(approval, at),
            verdict: how === 'approved' ? 'accept' : 'deny',
            by: 'person',
            because: because ?? how,
            actor,
          },
        ],
        reply: (approval) => {
          if (!shown)
            throw new Error(`${context.params.id} was answered but was not on the board before`);
          const now = hall.board.approvals.get(approval.id) ?? approval;
          const around = {
            title: shown.title,
            before: [],
            timeout: hall.times.approval,
            mayAnswer: false,
          };
          return { status: 200, body: { ...approvalView(now, around), before: shown.before } };
        },
      });
    },
  } satisfies Pick<Operations, 'answerApproval'>;
}

function loggedAnswer(approval: Approval, at: number) {
  const { id, run, task, project, tool, command, cwd, rule, askedAt } = approval;
  const answerId = decisionId(at, `${nameOf('approval', id)}-answer`);
  return {
    id: answerId,
    at,
    run,
    task,
    project,
    tool,
    command,
    cwd,
    rule,
    approval: id,
    took: at - askedAt,
  };
}

function ruleRoutes(hall: Hall, shell: Shell) {
  return {
    listRules: async ({ query: { project } }) => {
      const rules = await readBoard(hall, (board) =>
        [...board.rules.values()].filter(
          ({ scope }) => project === undefined || scope === null || scope === project,
        ),
      );
      const mistake = rules.length === 0 && invalid(checkFilter(hall.board, { project }));
      return mistake || { status: 200, body: { rules: rules.map(ruleView) } };
    },

    setRule: (context) =>
      changeBoard(hall, context, {
        decide: (board, now) => setRule(board, ruleFrom(context.body), now),
        reply: (rule) => ({ status: 201, body: ruleView(rule) }),
      }),

    removeRule: (context) =>
      changeBoard(hall, context, {
        decide: (board) => removeRule(board, ruleIn(context.params.id)),
        reply: () => ({ status: 204 }),
      }),

    testRules: async ({ body }) => {
      const tested = await testRules({ hall, shell }, body);
      return isRefusal(tested) ? tested : { status: 200, body: tested };
    },
  } satisfies Pick<Operations, 'listRules' | 'setRule' | 'removeRule' | 'testRules'>;
}

function approvalIn(name: string): ApprovalId {
  return (numberIn('approval', name) ?? 0) as ApprovalId;
}

function ruleIn(name: string): RuleId {
  return (numberIn('rule', name) ?? 0) as RuleId;
}

function unknownApproval(name: string) {
  return refuse('unknown_approval', `there is no approval ${name}, or its run has ended`);
}
