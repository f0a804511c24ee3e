import type { FORGE_ROUTES } from '../../api/forge-routes.ts';
import type { ForgeFinding } from '../../board/check-forge.ts';
import type { ConnectedRepository, ConnectOptions } from '../../board/connect-repository.ts';
import type { Hall } from '../../board/hall.ts';
import { requireLeading } from '../../board/leader.ts';
import { readBoard } from '../../board/read-board.ts';
import type { RepositoryStatus } from '../../board/watch-repositories.ts';
import { refuse } from '../../domain/refusal.ts';
import { connectionView, forgesView } from '../../queries/views/forges.ts';
import type { Operations } from '../request-context.ts';

/** What the hall can do about its forges; undefined for a forge that it does not know. */
export interface ForgeConnections {
  statuses(): readonly RepositoryStatus[];
  connect(forge: string, how: ConnectOptions): Promise<readonly ConnectedRepository[] | undefined>;
  check(forge: string): Promise<readonly ForgeFinding[] | undefined>;
}

interface Needs {
  readonly hall: Hall;
  readonly forgeConnections: ForgeConnections;
  readonly reloadConfig: () => Promise<readonly string[]>;
}

export function forgeRoutes({ hall, forgeConnections, reloadConfig }: Needs) {
  return {
    listForges: async () => {
      const statuses = forgeConnections.statuses();
      return { status: 200, body: await readBoard(hall, (board) => forgesView(board, statuses)) };
    },
    connectForge: async ({ params: { name }, body }) => {
      requireLeading(hall);
      const connected = await forgeConnections.connect(name, { setsSecret: body.new_secret });
      return connected ? { status: 200, body: connectionView(connected) } : unknown(name);
    },
    checkForge: async ({ params: { name } }) => {
      requireLeading(hall);
      const findings = await forgeConnections.check(name);
      return findings ? { status: 200, body: { findings: [...findings] } } : unknown(name);
    },
    reloadConfig: async () => ({ status: 200, body: { mistakes: [...(await reloadConfig())] } }),
  } satisfies Pick<Operations, keyof typeof FORGE_ROUTES>;
}

function unknown(name: string) {
  return refuse('unknown_forge', `the hall is not connected to a forge ${name}`);
}
