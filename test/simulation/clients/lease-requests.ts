import type { Claimed } from '../../../src/domain/claiming.ts';
import { nameOf, type WorkerId } from '../../../src/domain/ids.ts';
import { deregister } from '../../../src/domain/lost-worker.ts';
import { type Registration, register } from '../../../src/domain/registering.ts';
import {
  askQuestion,
  note,
  type Report,
  recordUsage,
  report,
  start,
} from '../../../src/domain/reporting.ts';
import type { Ledger } from '../checks/ledger.ts';
import type { Request } from '../hall/message.ts';

/** Requests of a worker about its run, as the HTTP layer would pass them to the board. */

export function registerRequest(key: string, asked: Registration): Request {
  return {
    verb: 'register',
    actor: `host:${asked.host}`,
    about: JSON.stringify(asked),
    key,
    change: { decide: (board, now) => register(board, asked, now) },
    proof: (ledger, body) => {
      const id = Number(body) as WorkerId;
      const isKnown = ledger.workers.has(id) || ledger.gone.has(id);
      return isKnown ? undefined : `worker ${body} was told it is registered and is not`;
    },
  };
}

export function claimRequest(worker: WorkerId, wait: number): Request {
  return {
    verb: 'claim',
    actor: actorOf(worker),
    about: '',
    worker,
    claim: { worker, wait },
    proof: (ledger, body) => hasClaimed(ledger, worker, body),
  };
}

export function hasClaimed(ledger: Ledger, worker: WorkerId, body: string): string | undefined {
  const { run, task, fence }: Claimed = JSON.parse(body);
  const known = ledger.runs.get(run);
  if (known?.worker === worker && known.task === task && known.fence === fence) return undefined;
  return `worker ${worker} was given run ${run}, which is not stored`;
}

export function heartbeatRequest(worker: WorkerId): Request {
  return { verb: 'beat', actor: actorOf(worker), about: '', worker };
}

export function leaveRequest(worker: WorkerId): Request {
  return {
    verb: 'leave',
    actor: actorOf(worker),
    about: '',
    worker,
    change: { decide: (board, now) => deregister(board, worker, 'it stopped', now) },
    proof: (ledger) => (ledger.gone.has(worker) ? undefined : `worker ${worker} has not left`),
  };
}

interface Holding {
  readonly worker: WorkerId;
  readonly claimed: Claimed;
}

export function startRequest(holding: Holding): Request {
  const { run } = holding.claimed;
  return {
    ...about(holding, 'start', ''),
    change: { decide: (board) => start(board, leaseOf(holding)) },
    proof: (ledger, body) => {
      if (ledger.runs.get(run)?.startedAt === null) return `run ${run} has not started`;
      return isAboutRun(run, body);
    },
  };
}

export function usageRequest(holding: Holding, turns: number): Request {
  const { run } = holding.claimed;
  const usage = { inputTokens: turns * 100, outputTokens: turns * 10, turns, costUsd: 0 };
  return {
    ...about(holding, 'usage', String(turns)),
    change: { decide: (board) => recordUsage(board, leaseOf(holding), usage) },
    proof: (ledger, body) => {
      if (!ledger.runs.get(run)?.committed) return `run ${run} has not spent its credit`;
      return isAboutRun(run, body);
    },
  };
}

export function noteRequest(key: string, holding: Holding): Request {
  const text = `note ${key}`;
  return {
    ...about(holding, 'note', text),
    key,
    change: { decide: (board) => note(board, leaseOf(holding), text) },
    proof: (ledger, body) => onceWritten(ledger, text) ?? isAboutRun(holding.claimed.run, body),
  };
}

/** The hall answers with the run as it is, which must be the one that was asked about. */
function isAboutRun(run: number, body: string): string | undefined {
  return body.includes(`"id":${run},`) ? undefined : `another run than ${run} was meant: ${body}`;
}

export function onceWritten(ledger: Ledger, text: string): string | undefined {
  const times = ledger.notes.get(text) ?? 0;
  return times === 1 ? undefined : `"${text}" was written ${times} times`;
}

export function questionRequest(key: string, holding: Holding): Request {
  const { run } = holding.claimed;
  return {
    ...about(holding, 'ask', ''),
    key,
    change: {
      decide: (board, now) =>
        askQuestion(board, leaseOf(holding), { question: 'which colour?', session: null }, now),
    },
    proof: (ledger) => hasEnded(ledger, run, 'asked'),
  };
}

/** The last word on a run, with or without asking for the next task in the same breath. */
export function reportRequest(
  key: string,
  holding: Holding,
  { said, wait }: { readonly said: Report; readonly wait: number | undefined },
): Request {
  const { worker, claimed } = holding;
  return {
    ...about(holding, 'report', JSON.stringify(said)),
    key,
    change: { decide: (board, now) => report(board, leaseOf(holding), said, now) },
    ...(wait !== undefined && { claim: { worker, wait } }),
    proof: (ledger, body) =>
      Number(body) === claimed.task
        ? hasEnded(ledger, claimed.run, said.how)
        : `task ${body} was ended instead of ${claimed.task}`,
  };
}

function hasEnded(ledger: Ledger, run: number, how: string): string | undefined {
  const ended = ledger.runs.get(run as Claimed['run'])?.ended;
  return ended === how ? undefined : `run ${run} was reported as ${how} and is ${ended}`;
}

function about({ worker, claimed }: Holding, verb: string, what: string) {
  const { run, fence } = claimed;
  return { verb, actor: actorOf(worker), about: `${run} ${fence} ${what}`, worker, run };
}

function leaseOf({ worker, claimed: { run, fence } }: Holding) {
  return { run, fence, worker };
}

function actorOf(worker: WorkerId): string {
  return `worker:${nameOf('worker', worker)}`;
}
