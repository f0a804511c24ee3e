import type { Board } from '../domain/board.ts';
import { labelChanges, labelSet } from '../domain/forge/label-set.ts';
import type { ForgeSetup } from '../ports/forge-setup.ts';

export interface SeededLabels {
  readonly created: readonly string[];
  readonly repaired: readonly string[];
}

/** A repository has all labels of the hall, as they should be. Looks before it creates any. */
export async function seedLabels(
  setup: ForgeSetup,
  repo: string,
  board: Board,
): Promise<SeededLabels> {
  const { create, edit } = labelChanges(await setup.labels(repo), labelSet(board));
  for (const label of create) await setup.createLabel(repo, label);
  for (const { id, label } of edit) await setup.editLabel(repo, id, label);
  return {
    created: create.map(({ name }) => name),
    repaired: edit.map(({ label }) => label.name),
  };
}
