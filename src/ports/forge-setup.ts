import type { HallLabel, RepositoryLabel } from '../domain/forge/label-set.ts';
import type { Forge } from './forge.ts';

/** A forge whose repositories the hall can also connect. */
export interface ConnectableForge extends Forge {
  readonly setup: ForgeSetup;
}

/**
 * What connecting a repository takes: labels, a webhook, and proof that the hall has the rights that it needs.
 * Throws `ForgeFailed`.
 */
export interface ForgeSetup {
  labels(repo: string): Promise<readonly RepositoryLabel[]>;
  createLabel(repo: string, label: HallLabel): Promise<void>;
  editLabel(repo: string, id: string, label: HallLabel): Promise<void>;

  /** The webhook that reports a repository to this address; null when there is none. */
  hookTo(repo: string, url: string): Promise<FoundHook | null>;
  /**
   * There is one webhook to this address, active and with the events that the hall needs. Forges do not show the
   * secret of a webhook, so it is set on a new one, or with `setsSecret`.
   */
  ensureHook(repo: string, plan: HookPlan): Promise<HookChange>;
  /** Makes the forge send a delivery to this address; false when it cannot be asked for one. */
  testHook(repo: string, url: string): Promise<boolean>;

  /** Uses each right once, in a way that leaves nothing behind. */
  proveRights(repo: string): Promise<readonly ProvenRight[]>;
  /** Why a push by the hall would not start CI; null when it does. */
  whyPushStartsNoCi(): Promise<string | null>;
}

export interface FoundHook {
  readonly isActive: boolean;
  /** Events that the hall needs and the webhook does not send. */
  readonly missingEvents: readonly string[];
}

export interface HookPlan {
  readonly url: string;
  readonly secret: string;
  readonly setsSecret: boolean;
}

export type HookChange = 'created' | 'changed' | 'unchanged';

export interface ProvenRight {
  /** In words: `push branches`. */
  readonly right: string;
  /** What the forge said against it; null when it was granted. */
  readonly refusal: string | null;
  /** What a person changes on the forge to grant it. */
  readonly fix: string;
}
