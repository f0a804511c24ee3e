/** A section of the specification: its rows by id, in the words of the specification. */
export interface Section {
  readonly title: string;
  readonly rows: Readonly<Record<string, string | LetteredRow>>;
}

/** A row with several testable statements; text between two letters belongs to the earlier one. */
export interface LetteredRow {
  /** The row in one line, for the conformance page. */
  readonly short: string;
  /** The text before the first letter. */
  readonly lead?: string;
  /** Each begins with its letter: "(a) …". */
  readonly clauses: readonly string[];
}
