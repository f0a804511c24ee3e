import type { RUN_ROUTES } from '../../api/run-routes.ts';
import type { Hall } from '../../board/hall.ts';
import type { Board } from '../../domain/board.ts';
import type { Decision } from '../../domain/decision.ts';
import { refuse } from '../../domain/refusal.ts';
import { ask as askPerson, type Lease, note, recordUsage, start } from '../../domain/reporting.ts';
import type { Run } from '../../domain/run.ts';
import type { ClaimAnswers } from '../../queries/claim-answer.ts';
import { transcriptOf } from '../../queries/transcript.ts';
import { runIn, taskName } from '../../queries/views/plain.ts';
import { runView } from '../../queries/views/run.ts';
import type { Ask, Implementations } from '../ask.ts';
import type { Blot } from '../blotting.ts';
import type { Caller } from '../caller.ts';
import { change } from '../changing.ts';
import { leaseOf } from '../lease.ts';
import { maySeeRun } from '../own.ts';
import { createTranscripts } from '../transcripts.ts';
import { reportRoute } from './report.ts';

type OnRun = 'startRun' | 'useRun' | 'noteRun';

interface Needs {
  readonly hall: Hall;
  readonly answers: ClaimAnswers;
  readonly blot: Blot;
}

export function runRoutes({ hall, answers, blot }: Needs) {
  const transcripts = createTranscripts(hall);

  function onRun(
    ask: Pick<Ask<OnRun>, 'params' | 'body' | 'caller' | 'meta' | 'repeat'>,
    step: (board: Board, lease: Lease) => Decision<Run>,
  ) {
    const lease = leaseOf(hall, ask);
    return change(hall, ask, {
      decide: (board) => step(board, lease),
      reply: (before) => ({
        status: 200,
        body: runView(hall.board.runs.get(before.id) ?? before),
      }),
    });
  }

  return {
    ...readingRoutes(hall),

    startRun: (ask) => onRun(ask, start),

    logRun: (ask) => transcripts.append(ask, leaseOf(hall, ask), blot(ask.body.entries)),

    useRun: (ask) => {
      const { input_tokens, output_tokens, turns, cost_usd } = ask.body;
      const usage = {
        inputTokens: input_tokens,
        outputTokens: output_tokens,
        turns,
        costUsd: cost_usd,
      };
      return onRun(ask, (board, lease) => recordUsage(board, lease, usage));
    },

    noteRun: (ask) => onRun(ask, (board, lease) => note(board, lease, blot(ask.body.text))),

    askRun: (ask) => {
      const lease = leaseOf(hall, ask);
      const { question, session } = ask.body;
      const asked = { question: blot(question), session };
      return change(hall, ask, {
        decide: (board, now) => askPerson(board, lease, asked, now),
        reply: (task) => ({
          status: 200,
          body: { task: taskName(task), state: 'awaiting_input' },
        }),
      });
    },

    ...reportRoute({ hall, answers, blot }),
  } satisfies Pick<Implementations, keyof typeof RUN_ROUTES>;
}

function readingRoutes(hall: Hall) {
  async function visible(name: string, caller: Caller): Promise<Run | undefined> {
    const run = await hall.store.run(runIn(name));
    return run && maySeeRun(caller, run) ? run : undefined;
  }

  return {
    getRun: async ({ params, caller }) => {
      const run = await visible(params.id, caller);
      return run ? { status: 200, body: runView(run) } : unknownRun(params.id);
    },

    getTranscript: async ({ params, query, caller }) => {
      const run = await visible(params.id, caller);
      if (!run) return unknownRun(params.id);
      return { status: 200, body: await transcriptOf(hall.store, run.id, query) };
    },
  } satisfies Pick<Implementations, 'getRun' | 'getTranscript'>;
}

function unknownRun(name: string) {
  return refuse('unknown_run', `there is no run ${name}`);
}
