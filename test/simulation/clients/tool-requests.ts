import { createShell } from '../../../src/adapters/shell/shell.ts';
import type { Claimed } from '../../../src/domain/claiming.ts';
import { removeRule, setRule } from '../../../src/domain/edit-rules.ts';
import { nameOf, type WorkerId } from '../../../src/domain/ids.ts';
import {
  answerApproval,
  requestToolCall,
  type ToolAnswer,
  type ToolCall,
} from '../../../src/domain/tool-gate.ts';
import type { Rule } from '../../../src/domain/tool-policy/rule.ts';
import type { Ledger } from '../checks/ledger.ts';
import type { Request } from '../hall/message.ts';
import type { OperatorContext } from './operator.ts';

/** One that is accepted, one that is denied, and two that a person is asked about. */
export const COMMANDS = ['ls', 'curl http://x', 'rm -r ./temp', 'rm -r ./other'] as const;

const shell = createShell();
const READINGS = new Map(COMMANDS.map((command) => [command as string, shell.read(command)]));

interface Holding {
  readonly worker: WorkerId;
  readonly claimed: Claimed;
}

/** Tool calls of an agent, as the HTTP layer would pass them to the board. */
export function toolCallRequest(
  key: string,
  { worker, claimed }: Holding,
  command: string,
): Request {
  const { run, fence } = claimed;
  const call = callOf(key, `${run} ${fence} ${command}`, command);
  return {
    verb: 'tool',
    actor: `worker:${nameOf('worker', worker)}`,
    about: `${run} ${fence} ${command}`,
    key,
    worker,
    run,
    change: { decide: (board, now) => requestToolCall(board, { run, fence, worker }, call, now) },
    proof: (ledger, body) => isStored(ledger, run, JSON.parse(body)),
  };
}

function callOf(nonce: string, hash: string, command: string): ToolCall {
  const reading = READINGS.get(command);
  if (!reading) throw new Error(`${command} was not read`);
  const at = { worktree: '/cell', cwd: '/cell', links: new Map<string, string>() };
  return { tool: 'Bash', command, reading, at, hash, shown: { command, tree: [command] }, nonce };
}

/** An approval request is stored before it is reported, and an accepted call has used up its approval. */
function isStored(ledger: Ledger, run: number, told: ToolAnswer): string | undefined {
  if (told.approval === null) return undefined;
  const approval = ledger.approvals.get(told.approval);
  if (approval?.run !== run) return `approval ${told.approval} is not one of run ${run}`;
  if (told.verdict !== 'accept') return undefined;
  return approval.isUsed ? undefined : `approval ${told.approval} let a call through and is unused`;
}

/** Answers and rules of operators about tool calls. */
export const TOOL_REQUESTS = {
  answerApproval: ({ world, ledger }: OperatorContext, key: string) => {
    const { random } = world;
    const open = [...ledger.approvals.values()].filter(({ run }) => ledger.openRuns.has(run));
    const approval = random.any(open.filter(({ answer }) => answer === null || random.chance(0.1)));
    if (!approval) return undefined;
    const how = random.chance(0.6) ? 'approved' : 'denied';
    const isRight = random.chance(0.9);
    const said = {
      approval: approval.id,
      nonce: isRight ? approval.nonce : 'guessed',
      how,
      because: null,
      promote:
        how === 'approved' && random.chance(0.15)
          ? random.pick(['project', 'global'] as const)
          : null,
    } as const;
    return asked(key, `answer ${JSON.stringify(said)}`, {
      change: { decide: (board, now) => answerApproval(board, said, now) },
      proof: (known) => {
        if (!isRight) return `approval ${said.approval} was answered by a guess`;
        const { answer } = known.approvals.get(said.approval) ?? {};
        return answer === how ? undefined : `approval ${said.approval} is ${answer}, not ${how}`;
      },
    });
  },
  setRule: ({ world, ledger }: OperatorContext, key: string) => {
    const { random } = world;
    const scope = random.any([...ledger.projects.keys(), null]) ?? null;
    const match = { command: random.pick(COMMANDS) };
    const verdict = random.pick(['accept', 'deny'] as const);
    const rule = { scope, verdict, match, expires: null, note: '' };
    return asked(key, `rule ${JSON.stringify(rule)}`, {
      change: { decide: (board, now) => setRule(board, rule, now) },
      proof: (known, body) => {
        const { id }: Rule = JSON.parse(body);
        return known.ruled.has(id) ? undefined : `rule ${id} is not stored`;
      },
    });
  },
  removeRule: ({ world, ledger }: OperatorContext, key: string) => {
    const id = world.random.any([...ledger.rules]);
    if (id === undefined) return undefined;
    return asked(key, `unrule ${id}`, {
      change: { decide: (board) => removeRule(board, id) },
      proof: (known) => (known.rules.has(id) ? `rule ${id} is still there` : undefined),
    });
  },
} as const;

function asked(
  key: string,
  about: string,
  rest: Required<Pick<Request, 'change' | 'proof'>>,
): Request {
  const [verb = about] = about.split(' ');
  return { verb, actor: `operator:${key}`, about, key, ...rest };
}
