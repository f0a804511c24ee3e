import { didYouMean } from '../api/did-you-mean.ts';
import type { Mistake } from '../api/validate.ts';
import type { Board } from '../domain/board.ts';

/** The names that can filter a list. */
interface Filter {
  readonly project?: string | undefined;
  readonly type?: string | undefined;
}

/**
 * The mistake in a filter that found nothing: a mistyped name would look like an empty board. A
 * removed project stays known as long as it has ended tasks.
 */
export function checkFilter(board: Board, { project, type }: Filter): Mistake | undefined {
  const projects = [...new Set([...board.projects.keys(), ...board.tallies.keys()])];
  return (
    checkFilterValues('project', project === undefined ? [] : [project], projects) ??
    checkFilterValues('type', type === undefined ? [] : [type], [...board.types.keys()])
  );
}

/** The first unknown value of a filter, as a mistake; undefined when all are known. */
export function checkFilterValues(
  path: string,
  values: readonly string[],
  known: readonly string[],
): Mistake | undefined {
  const value = values.find((each) => !known.includes(each));
  if (value === undefined) return undefined;
  const message = `${value} is unknown${didYouMean(value, known, ', ')}; ${listed(known)}`;
  return { path, message };
}

const MAX_LISTED = 50;

function listed(known: readonly string[]): string {
  if (known.length === 0) return 'there are none';
  const more = known.length - MAX_LISTED;
  const names = known.toSorted().slice(0, MAX_LISTED).join(', ');
  return `known values: ${names}${more > 0 ? ` and ${more} more` : ''}`;
}
