import type { HallEvent, Recorded } from '../../../src/domain/event.ts';
import type { ApprovalId, RunId } from '../../../src/domain/ids.ts';
import { TIMES } from '../hall/times.ts';
import type { Ledger } from './ledger.ts';

export interface LedgerApproval {
  readonly id: ApprovalId;
  readonly run: RunId;
  readonly hash: string;
  readonly nonce: string;
  /** Virtual time of the question. */
  readonly askedAt: number;
  answer: 'approved' | 'denied' | 'expired' | null;
  isUsed: boolean;
}

/** Rules about tools, and calls that a person is asked about. False when the event is about something else. */
export function readTool(ledger: Ledger, event: HallEvent, { actor }: Recorded): boolean {
  switch (event.type) {
    case 'RuleSet':
      ledger.must(
        event.rule.id === ledger.seq,
        `rule ${event.rule.id} is not numbered by its event`,
      );
      ledger.rules.add(event.rule.id);
      ledger.ruled.add(event.rule.id);
      return true;
    case 'RuleRemoved':
      ledger.must(ledger.rules.delete(event.rule), `there is no rule ${event.rule} to remove`);
      return true;
    case 'ApprovalRequested':
      return ask(ledger, event.approval, actor);
    case 'ApprovalAnswered':
      return answer(ledger, event.approval, event.answer.how);
    case 'ApprovalUsed':
      return use(ledger, event.approval, actor);
    case 'RunAwaitingApproval':
      return hold(ledger, event.run, true);
    case 'RunResumed':
      return hold(ledger, event.run, false);
    default:
      return false;
  }
}

type Asked = Extract<HallEvent, { type: 'ApprovalRequested' }>['approval'];

/** Only the run's worker requests an approval, with its fence, and once for the same call. */
function ask(
  ledger: Ledger,
  { id, run: of, fence, worker, hash, nonce }: Asked,
  actor: string,
): true {
  const run = ledger.openRuns.get(of);
  ledger.must(id === ledger.seq, `approval ${id} is not numbered by its event`);
  ledger.must(run?.fence === fence, `approval ${id} is asked for run ${of} with fence ${fence}`);
  ledger.must(
    run?.worker === worker && actor === `worker:w-${worker}`,
    `approval ${id} of run ${of} is asked by ${actor}`,
  );
  const before = openApprovals(ledger, of);
  ledger.must(before.length < MAX_OPEN, `run ${of} has ${before.length} open questions already`);
  ledger.must(!before.some((each) => each.hash === hash), `run ${of} asks twice about one call`);
  const askedAt = ledger.now();
  ledger.approvals.set(id, { id, run: of, hash, nonce, askedAt, answer: null, isUsed: false });
  return true;
}

const MAX_OPEN = 5;

/** An approval is answered once and does not expire early. */
function answer(ledger: Ledger, id: ApprovalId, how: NonNullable<LedgerApproval['answer']>): true {
  const approval = known(ledger, id);
  if (!approval) return true;
  ledger.must(approval.answer === null, `approval ${id} is ${how} and was ${approval.answer}`);
  approval.answer = how;
  ledger.count(`approval: ${how}`);
  const waited = ledger.now() - approval.askedAt;
  const isEarly = how === 'expired' && waited < TIMES.approval;
  ledger.must(!isEarly, `approval ${id} expires after ${waited} of ${TIMES.approval}`);
  return true;
}

/** An approval covers one call of the run that requested it. */
function use(ledger: Ledger, id: ApprovalId, actor: string): true {
  const approval = known(ledger, id);
  if (!approval) return true;
  const { worker } = ledger.openRuns.get(approval.run) ?? {};
  ledger.must(approval.answer === 'approved', `approval ${id} is used and is ${approval.answer}`);
  ledger.must(!approval.isUsed, `approval ${id} is used twice`);
  ledger.must(actor === `worker:w-${worker}`, `approval ${id} is used by ${actor}`);
  approval.isUsed = true;
  return true;
}

function known(ledger: Ledger, id: ApprovalId): LedgerApproval | undefined {
  const approval = ledger.approvals.get(id);
  if (!approval) ledger.fail(`there is no approval ${id}`);
  else ledger.must(ledger.openRuns.has(approval.run), `approval ${id} outlives its run`);
  return approval;
}

/** A run waits for a person exactly as long as it has an open approval. */
function hold(ledger: Ledger, run: RunId, isHeld: boolean): true {
  const isAsked = openApprovals(ledger, run).length > 0;
  ledger.must(
    isAsked === isHeld,
    `run ${run} ${isHeld ? 'waits for nobody' : 'goes on unanswered'}`,
  );
  return true;
}

function openApprovals(ledger: Ledger, of: RunId): readonly LedgerApproval[] {
  return [...ledger.approvals.values()].filter(({ run, answer: given }) => run === of && !given);
}
