import type { ForgeChanges } from '../../ports/forge.ts';
import { instantIn } from './parse.ts';

interface ListedIssue {
  readonly number: number;
  readonly updated_at: string;
}

/** What a list of issues and pull requests says about their changes; `isMeant` leaves others out. */
export function changesFrom<T extends ListedIssue>(
  issues: readonly T[],
  isMeant: (issue: T) => boolean,
): ForgeChanges {
  const times = issues.map(({ updated_at }) => instantIn(updated_at));
  const changes = issues
    .filter(isMeant)
    .map(({ number, updated_at }) => ({ number, updatedAt: instantIn(updated_at) }));
  return { changes, newest: times.length === 0 ? null : Math.max(...times) };
}

/** Labels of the hall start with this. */
export function hasLabelOfHall(labels: readonly { readonly name: string }[]): boolean {
  return labels.some(({ name }) => name.startsWith('hall:'));
}
