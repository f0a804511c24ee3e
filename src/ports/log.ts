/** Facts go under fixed keys; the message is a fixed phrase, so that it can be searched for. */
export type Facts = Readonly<Record<string, string | number | boolean | null>>;

export interface Log {
  /** A change an operator would want in a diary. */
  info(message: string, facts?: Facts): void;
  /** Something the hall dealt with. */
  warn(message: string, facts?: Facts): void;
  /** Something a person must do. */
  error(message: string, facts?: Facts): void;
}
