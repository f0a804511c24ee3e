import type { EmulatorRefused } from '../state/emulator-refused.ts';
import type { ForgeEvent } from '../state/event.ts';
import type { Installation } from '../state/model.ts';
import type { ForgeRules } from '../state/world.ts';
import type { Answer, Route, Urls } from './answer.ts';
import type { RateBudget } from './rate-budget.ts';

/** How one kind of forge speaks: its routes, its words for a no, and its hooks. */
export interface Dialect {
  readonly rules: ForgeRules;
  /** Before the paths of its routes. */
  readonly prefix: string;
  /** GitHub's own address has no prefix; a server of one's own has. Both are understood. */
  readonly prefixIsOptional: boolean;
  readonly routes: readonly Route[];
  /** Answers have an ETag, and a repeated question with it costs nothing. */
  readonly revalidates: boolean;
  /** Where a repository that was renamed is to be found. */
  readonly moved: { readonly status: number; readonly byId: boolean };
  refusal(refused: EmulatorRefused): Answer;
  failure(failure: Failure): Answer;
  rateHeaders(rate: RateBudget): Readonly<Record<string, string>>;
  /** The events of a hook as the forge keeps them. */
  hookEvents(asked: readonly string[]): string[];
  messages(event: ForgeEvent, place: MessagePlace): readonly Message[];
  /** Whether a hook that asks for these events gets this message. */
  isHeard(events: readonly string[], message: Message): boolean;
  hookHeaders(sent: Sent): Readonly<Record<string, string>>;
}

/** What goes wrong on purpose. */
export interface Failure {
  readonly status: number;
  readonly retryAfter: number | null;
  readonly isSecondary: boolean;
}

export interface MessagePlace {
  readonly urls: Urls;
  /** Of the App whose hook it is; null for the hook of a repository. */
  readonly installation: Installation | null;
}

export interface Message {
  readonly event: string;
  /** Gitea's second, finer name; the same as the event elsewhere. */
  readonly type: string;
  readonly action: string | null;
  readonly payload: object;
}

export interface Sent {
  readonly message: Message;
  readonly guid: string;
  readonly body: string;
  readonly secret: string;
  readonly hookId: number;
  readonly target: { readonly type: 'repository' | 'integration'; readonly id: number };
}
