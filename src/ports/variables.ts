import type { Env } from '../domain/env.ts';
import type { Isolation } from '../domain/project.ts';
import type { Mount } from './cell.ts';

/** An operator's variables, as the programs of a cell get them. */
interface CellVariables {
  readonly env: Env;
  /** The CA files that they name. */
  readonly readable: readonly Mount[];
}

/**
 * Adds the CA files that the machine's own account trusts, and makes every CA file readable in a cell of
 * this kind. Throws `CellRefused` for a file that this machine does not have.
 */
export type PrepareVariables = (
  env: Env,
  cell: { readonly kind: Isolation; readonly image: string | null },
) => Promise<CellVariables>;
