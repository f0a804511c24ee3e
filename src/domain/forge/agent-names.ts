import { similarAgents } from '../agent-name.ts';
import type { Board } from '../board.ts';

/** For people: there is no such agent, and these are the ones there are. */
export function unknownAgentText(board: Board, slug: string): string {
  const { names, more } = similarAgents(board, slug);
  const list = names.map((name) => `\`${name}\``).join(', ') || 'none';
  const rest = more > 0 ? ` and ${more} more` : '';
  return `There is no agent \`${slug}\`. Agents of this hall: ${list}${rest}.`;
}
