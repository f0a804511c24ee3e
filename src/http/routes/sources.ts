import type { Hall } from '../../board/hall.ts';
import { readBoard } from '../../board/read-board.ts';
import { refuse } from '../../domain/refusal.ts';
import { allSources } from '../../domain/sources/configured.ts';
import type { Machine } from '../../queries/health.ts';
import { sourceViews } from '../../queries/views/source.ts';
import type { Operations } from '../request-context.ts';

export function sourceRoutes(hall: Hall, machine: () => Machine) {
  const readAt = (id: string) => machine().sources?.readAt(id) ?? null;
  const all = () => readBoard(hall, (board) => [...sourceViews(board, readAt)]);

  return {
    listSources: async () => ({ status: 200, body: { sources: await all() } }),

    syncSource: async ({ params }) => {
      const source = allSources(hall.board).find(({ id }) => id === params.id);
      if (!source) return refuse('unknown_source', `there is no task source ${params.id}`);
      await machine().sources?.sync(source);
      const view = (await all()).find(({ id }) => id === source.id);
      if (!view) return refuse('unknown_source', `there is no task source ${params.id}`);
      return { status: 200, body: view };
    },
  } satisfies Pick<Operations, 'listSources' | 'syncSource'>;
}
