import type { Health } from '../api/overview.ts';
import type { Hall } from '../board/hall.ts';
import { boardSources } from './views/source.ts';

/** Whether all task sources are read. What they posted before goes on in any case. */
export function sourcesHealth({ board }: Pick<Hall, 'board'>): Health['components'][number] {
  const name = 'sources';
  const sources = boardSources(board);
  if (sources.length === 0) return { name, status: 'up', says: 'none to read' };
  const failing = sources.filter(({ status }) => status === 'degraded');
  if (failing.length === 0) {
    return { name, status: 'up', says: `reads ${sources.map(({ id }) => id).join(', ')}` };
  }
  const says = failing.map((source) => `${source.id}: ${source.says}`).join('; ');
  return { name, status: 'degraded', says };
}
