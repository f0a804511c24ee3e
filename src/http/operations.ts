import type { Hall } from '../board/hall.ts';
import type { SecretStore } from '../board/secret-store.ts';
import type { Duration } from '../domain/ids.ts';
import { createCommandRedactor, createRedactor } from '../domain/redaction.ts';
import type { SecretUse } from '../domain/secret.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { PromptFiles } from '../ports/prompt-files.ts';
import type { Sessions } from '../ports/sessions.ts';
import type { Shell } from '../ports/shell.ts';
import { createClaimResponses } from '../queries/claim-response.ts';
import type { FreeDisk, Machine } from '../queries/health.ts';
import { createReadiness } from '../queries/readiness.ts';
import type { Auth } from './authenticate.ts';
import type { Streams } from './open-streams.ts';
import type { Operations } from './request-context.ts';
import { briefRoutes } from './routes/briefs.ts';
import { type ForgeConnections, forgeRoutes } from './routes/forges.ts';
import { hallRoutes } from './routes/hall.ts';
import { overviewRoutes } from './routes/overview.ts';
import { projectRoutes } from './routes/projects.ts';
import { runRoutes } from './routes/runs.ts';
import { secretRoutes } from './routes/secrets.ts';
import { taskRoutes } from './routes/tasks.ts';
import { threadRoutes } from './routes/threads.ts';
import { toolRoutes } from './routes/tools.ts';
import { workerRoutes } from './routes/workers.ts';
import type { SecretOf } from './run-secrets.ts';

interface Needs {
  readonly hall: Hall;
  readonly auth: Auth;
  readonly heartbeat: Duration;
  readonly streams: Streams;
  readonly metrics: Metrics;
  readonly freeDisk: FreeDisk;
  readonly forges: () => readonly string[];
  readonly machine: () => Machine;
  readonly shell: Shell;
  readonly version: string;
  readonly promptFiles: PromptFiles;
  readonly sessions: Sessions;
  readonly secrets: () => Iterable<string>;
  readonly secretOf: SecretOf;
  readonly secretStore: SecretStore;
  readonly secretUses: () => readonly SecretUse[];
  readonly forgeConnections: ForgeConnections;
  readonly reloadConfig: () => Promise<readonly string[]>;
}

/** One handler for each route in the table: a route without one does not compile. */
export function createOperations(needs: Needs): Operations {
  const { hall, auth, heartbeat } = needs;
  const redact = createRedactor(needs.secrets);
  const answers = createClaimResponses(hall, heartbeat);
  return {
    ...projectRoutes(needs),
    ...taskRoutes(needs),
    ...threadRoutes(hall),
    ...workerRoutes({ hall, heartbeat, answers, redact }),
    ...runRoutes({ hall, answers, redact }),
    ...briefRoutes(needs),
    ...toolRoutes({ hall, shell: needs.shell, redact: createCommandRedactor(needs.secrets) }),
    ...hallRoutes({ hall, auth, machine: needs.machine }),
    ...secretRoutes(needs),
    ...forgeRoutes(needs),
    ...overviewRoutes({ ...needs, unreadiness: createReadiness(hall) }),
  } satisfies Operations;
}
