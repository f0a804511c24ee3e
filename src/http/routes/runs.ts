import type { RUN_ROUTES } from '../../api/run-routes.ts';
import type { Hall } from '../../board/hall.ts';
import type { Board } from '../../domain/board.ts';
import type { Decision } from '../../domain/decision.ts';
import type { Lease } from '../../domain/lease.ts';
import type { Redactor } from '../../domain/redaction.ts';
import { refuse } from '../../domain/refusal.ts';
import { askQuestion as askPerson, note, recordUsage, start } from '../../domain/reporting.ts';
import type { Run } from '../../domain/run.ts';
import type { ClaimResponses } from '../../queries/claim-response.ts';
import { transcriptOf } from '../../queries/transcript.ts';
import { runIn, taskName } from '../../queries/views/ids-and-times.ts';
import { runView } from '../../queries/views/run.ts';
import { changeBoard } from '../board-access.ts';
import type { Caller } from '../caller.ts';
import { leaseOf } from '../lease.ts';
import type { Operations, RequestContext } from '../request-context.ts';
import { createTranscripts } from '../transcripts.ts';
import { maySeeRun } from '../visibility.ts';
import { reportRoute } from './report.ts';

type OnRun = 'startRun' | 'recordUsage' | 'noteRun';

interface Needs {
  readonly hall: Hall;
  readonly answers: ClaimResponses;
  readonly redact: Redactor;
}

export function runRoutes({ hall, answers, redact }: Needs) {
  const transcripts = createTranscripts(hall);

  function onRun(
    context: Pick<RequestContext<OnRun>, 'params' | 'body' | 'caller' | 'meta' | 'idempotencyKey'>,
    step: (board: Board, lease: Lease) => Decision<Run>,
  ) {
    const lease = leaseOf(hall, context);
    return changeBoard(hall, context, {
      decide: (board) => step(board, lease),
      reply: (before) => ({
        status: 200,
        body: runView(hall.board.runs.get(before.id) ?? before),
      }),
    });
  }

  return {
    ...readingRoutes(hall),

    startRun: (context) => onRun(context, start),

    logRun: (context) =>
      transcripts.append(context, leaseOf(hall, context), redact(context.body.entries)),

    recordUsage: (context) => {
      const { input_tokens, output_tokens, turns, cost_usd } = context.body;
      const usage = {
        inputTokens: input_tokens,
        outputTokens: output_tokens,
        turns,
        costUsd: cost_usd,
      };
      return onRun(context, (board, lease) => recordUsage(board, lease, usage));
    },

    noteRun: (context) =>
      onRun(context, (board, lease) => note(board, lease, redact(context.body.text))),

    askQuestion: (context) => {
      const lease = leaseOf(hall, context);
      const { question, session } = context.body;
      const input = { question: redact(question), session };
      return changeBoard(hall, context, {
        decide: (board, now) => askPerson(board, lease, input, now),
        reply: (task) => ({
          status: 200,
          body: { task: taskName(task), state: 'awaiting_input' },
        }),
      });
    },

    ...reportRoute({ hall, answers, redact }),
  } satisfies Pick<Operations, keyof typeof RUN_ROUTES>;
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
  } satisfies Pick<Operations, 'getRun' | 'getTranscript'>;
}

function unknownRun(name: string) {
  return refuse('unknown_run', `there is no run ${name}`);
}
