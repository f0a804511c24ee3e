import type { BRIEF_ROUTES } from '../../api/brief-routes.ts';
import type { Hall } from '../../board/hall.ts';
import { checkLease } from '../../domain/lease.ts';
import { isRefusal, refuse } from '../../domain/refusal.ts';
import type { Run } from '../../domain/run.ts';
import { sessionKeysIn } from '../../domain/session-keys.ts';
import type { Thread } from '../../domain/thread.ts';
import type { PromptFiles } from '../../ports/prompt-files.ts';
import type { Sessions } from '../../ports/sessions.ts';
import { createBriefs } from '../../queries/briefs.ts';
import { briefView } from '../../queries/views/brief.ts';
import { runIn, taskIn } from '../../queries/views/ids-and-times.ts';
import { leaseOf } from '../lease.ts';
import type { Operations } from '../request-context.ts';
import { type SecretOf, secretsOfRun } from '../run-secrets.ts';
import { maySeeRun } from '../visibility.ts';

interface Needs {
  readonly hall: Hall;
  readonly promptFiles: PromptFiles;
  readonly sessions: Sessions;
  readonly secretOf: SecretOf;
}

export function briefRoutes({ hall, promptFiles, sessions, secretOf }: Needs) {
  const { board, store } = hall;
  const briefs = createBriefs(hall, promptFiles);

  /** Any instance of the type can resume another's session. */
  function keysOf(run: Run, thread: Thread) {
    const type = board.instances.get(run.instance)?.type ?? run.instance;
    return sessionKeysIn(board, type, thread);
  }

  async function sessionOf(run: Run, thread: Thread) {
    for (const key of keysOf(run, thread)) {
      const session = await sessions.get(key);
      if (session) return session;
    }
    return null;
  }

  return {
    getBrief: async ({ params, caller }) => {
      const run = board.runs.get(runIn(params.id));
      const task = run && board.tasks.get(run.task);
      const thread = task && board.threads.get(task.thread);
      if (!run || !task || !thread || !maySeeRun(caller, run)) {
        return refuse('unknown_run', `${params.id} is not held by this worker`);
      }
      const brief = await briefs.brief(task, { ...run, thread });
      if (isRefusal(brief)) return brief;
      const session = await sessionOf(run, thread);
      return { status: 200, body: briefView(brief, session) };
    },

    // Not a command: nothing of it, and no answer under an idempotency key, is stored.
    getRunSecrets: async (context) => {
      const run = checkLease(board, leaseOf(hall, context));
      if (isRefusal(run)) return run;
      const env = secretsOfRun({ board, secretOf }, run, context.caller);
      return isRefusal(env) ? env : { status: 200, body: { env: { ...env } } };
    },

    saveSession: async (context) => {
      const run = checkLease(board, leaseOf(hall, context));
      if (isRefusal(run)) return run;
      const thread = board.threads.get(run.thread);
      if (!thread) return refuse('stale_fence', `the thread of ${context.params.id} is closed`);
      const { id, history } = context.body;
      const [key] = keysOf(run, thread);
      await sessions.put(key, { id, history });
      return { status: 204 };
    },

    getTaskPrompt: async ({ params }) => {
      const [record] = await store.tasksById([taskIn(params.id)]);
      if (!record) return refuse('unknown_task', `there is no task ${params.id}`);
      const prompt = await briefs.prompt(record.task);
      return isRefusal(prompt) ? prompt : { status: 200, body: prompt };
    },
  } satisfies Pick<Operations, keyof typeof BRIEF_ROUTES>;
}
