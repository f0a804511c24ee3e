/** A request that claims to come from a forge. */
export interface Delivery {
  readonly header: (name: string) => string | null;
  /** The bytes as they came: a signature covers these and nothing else. */
  readonly body: Buffer;
}

/** What a genuine delivery is about. Everything else is read by the forge's API. */
export interface DeliveredHint {
  readonly id: string;
  /** `owner/name`; null for deliveries about no repository, such as a test. */
  readonly repo: string | null;
  readonly numbers: readonly number[];
  /** Commits and branches whose pull requests may have changed. */
  readonly commits: readonly string[];
  readonly branches: readonly string[];
}

/** How deliveries of one kind of forge are recognised and read. */
export interface ForgeWebhooks {
  /** True if the sender knows one of the secrets. Looks at the bytes before anything is parsed. */
  isGenuine(delivery: Delivery, secrets: readonly string[]): boolean;
  /** Undefined when the body is no JSON object. */
  read(delivery: Delivery): DeliveredHint | undefined;
}
