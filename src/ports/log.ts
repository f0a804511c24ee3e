/** Facts use fixed keys and the message is a fixed phrase, so both can be searched for. */
export type Facts = Readonly<Record<string, string | number | boolean | null>>;

export interface Log {
  /** A change that an operator would want recorded. */
  info(message: string, facts?: Facts): void;
  /** A problem that the hall handled. */
  warn(message: string, facts?: Facts): void;
  /** A problem that a person must fix. */
  error(message: string, facts?: Facts): void;
}
