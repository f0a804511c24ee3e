/** Requests can bring any number of values; those of the last ones are enough to redact what follows them. */
const MOST_RECEIVED = 256;

/**
 * The values that must not appear in anything the hall writes: stored secrets, and everything that was ever meant to
 * be one. A value that was replaced, removed or refused is still a secret.
 */
export class KnownSecrets {
  #stored: ReadonlySet<string> = new Set();
  readonly #received = new Set<string>();

  /** Called as soon as a value is read, before it is checked. */
  receive(value: string): void {
    this.#received.delete(value);
    this.#received.add(value);
    const [oldest] = this.#received;
    if (this.#received.size > MOST_RECEIVED && oldest !== undefined) this.#received.delete(oldest);
  }

  /** Replaces the values that are stored now. */
  store(values: readonly string[]): void {
    for (const value of this.#stored) if (!values.includes(value)) this.receive(value);
    this.#stored = new Set(values);
  }

  values(): Iterable<string> {
    return [...this.#stored, ...this.#received];
  }
}
