import type { ForgeConnection, ForgeKind } from '../../api/forges.ts';

export interface ForgeWish {
  readonly kind: ForgeKind;
  readonly name: string;
  readonly url: string;
  /** Makes no webhook. */
  readonly polls: boolean;
  readonly rotates: boolean;
  readonly isDry: boolean;
}

/** What was done. */
export interface AddedForge {
  readonly account: string | null;
  readonly file: string;
  /** The lines of the file that changed. */
  readonly edit: string;
  readonly saved: boolean;
  readonly secrets: readonly string[];
  readonly repositories: ForgeConnection['repositories'];
  /** What a person has to do next. */
  readonly next: readonly string[];
}
