import type { Board } from '../board.ts';
import type { HallEvent } from '../event.ts';
import type { Row } from '../row.ts';

/** The result of the checks on one commit of the base branch. */
export interface BaseResult {
  readonly commit: string;
  readonly failing: readonly string[];
  /** The last output of the failing checks. */
  readonly excerpt: string;
}

type BaseEvent = Extract<HallEvent, { type: 'BaseChecksReported' | 'BaseChecksForgotten' }>;

/** Branches in progress start from a few commits; each thread also keeps the names it was compared with. */
const MAX_RESULTS = 8;

export function baseResultOf(
  board: Board,
  project: string,
  commit: string,
): BaseResult | undefined {
  return board.baseResults.get(project)?.find((result) => result.commit === commit);
}

export function evolveBaseResults(board: Board, event: BaseEvent): readonly Row[] {
  const { project, commit } = event;
  const others = (board.baseResults.get(project) ?? []).filter(
    (result) => result.commit !== commit,
  );
  if (event.type === 'BaseChecksForgotten') return setResults(board, project, others);
  const { failing, excerpt } = event;
  const results = [...others, { commit, failing, excerpt }];
  return setResults(board, project, results.slice(-MAX_RESULTS));
}

/** Results hold only for the commands that gave them. */
export function dropBaseResults(board: Board, project: string): readonly Row[] {
  return board.baseResults.get(project) === undefined ? [] : setResults(board, project, []);
}

function setResults(board: Board, project: string, results: readonly BaseResult[]): readonly Row[] {
  if (results.length > 0) {
    board.baseResults.set(project, results);
    return [{ table: 'base_checks', key: project, row: results }];
  }
  board.baseResults.delete(project);
  return [{ table: 'base_checks', key: project, row: null }];
}
