/** Calls models with the credential of the invoker who pays. */
export interface Models {
  /** Resolves as soon as the response headers arrive. Throws `ModelUnreachable`. */
  send(account: Account, call: ModelCall): Promise<ModelResponse>;
}

export interface Account {
  /** Scheme and host; the credential is sent nowhere else. */
  readonly url: string;
  readonly credential: string;
}

export interface ModelCall {
  readonly path: '/v1/messages' | '/v1/messages/count_tokens';
  readonly isBeta: boolean;
  /** By lower-case name, without those that carry credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly signal: AbortSignal;
}

export interface ModelResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Throws `ModelUnreachable` when the connection breaks. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** The provider sent no response, or an incomplete one. */
export class ModelUnreachable extends Error {
  override readonly name = 'ModelUnreachable';
}
