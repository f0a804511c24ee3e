import type { Hall } from '../board/hall.ts';
import type { Duration } from '../domain/ids.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Sessions } from '../ports/sessions.ts';
import type { Sheets } from '../ports/sheets.ts';
import type { Shell } from '../ports/shell.ts';
import { createClaimAnswers } from '../queries/claim-answer.ts';
import type { FreeDisk, Machine } from '../queries/health.ts';
import { createReadiness } from '../queries/readiness.ts';
import type { Implementations } from './ask.ts';
import { createBlot } from './blotting.ts';
import type { Auth } from './keyring.ts';
import { briefRoutes } from './routes/briefs.ts';
import { hallRoutes } from './routes/hall.ts';
import { projectRoutes } from './routes/projects.ts';
import { runRoutes } from './routes/runs.ts';
import { seeingRoutes } from './routes/seeing.ts';
import { taskRoutes } from './routes/tasks.ts';
import { threadRoutes } from './routes/threads.ts';
import { toolRoutes } from './routes/tools.ts';
import { workerRoutes } from './routes/workers.ts';
import type { Streams } from './streams.ts';

interface Needs {
  readonly hall: Hall;
  readonly auth: Auth;
  readonly heartbeat: Duration;
  readonly streams: Streams;
  readonly metrics: Metrics;
  readonly freeDisk: FreeDisk;
  readonly machine: () => Machine;
  readonly shell: Shell;
  readonly version: string;
  readonly sheets: Sheets;
  readonly sessions: Sessions;
  readonly secrets: () => Iterable<string>;
}

/** One for each route of the table: a route without one does not compile. */
export function createImplementations(needs: Needs): Implementations {
  const { hall, auth, heartbeat } = needs;
  const blot = createBlot(needs.secrets);
  const answers = createClaimAnswers(hall, heartbeat);
  return {
    ...projectRoutes(hall),
    ...taskRoutes(needs),
    ...threadRoutes(hall),
    ...workerRoutes({ hall, heartbeat, answers, blot }),
    ...runRoutes({ hall, answers, blot }),
    ...briefRoutes(needs),
    ...toolRoutes(hall, needs.shell),
    ...hallRoutes(hall, auth),
    ...seeingRoutes({ ...needs, isReady: createReadiness(hall) }),
  } satisfies Implementations;
}
