/** Where models are asked, with the credential of whoever pays. */
export interface Models {
  /** Answers as soon as the head of the answer is there. Throws `ModelUnreachable`. */
  send(account: Account, call: ModelCall): Promise<ModelResponse>;
}

export interface Account {
  /** Scheme and host; the credential goes nowhere else. */
  readonly url: string;
  readonly credential: string;
}

export interface ModelCall {
  readonly path: '/v1/messages' | '/v1/messages/count_tokens';
  readonly isBeta: boolean;
  /** By lower-case name; those that carry credentials are not among them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly signal: AbortSignal;
}

export interface ModelResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Throws `ModelUnreachable` when it breaks off. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** No answer came from the provider, or not all of it. */
export class ModelUnreachable extends Error {
  override readonly name = 'ModelUnreachable';
}
