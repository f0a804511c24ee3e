import type { z } from 'zod';
import type { OperationId, RouteOf } from './routes.ts';

/** The input of an operation. */
export type OperationInput<Op extends OperationId> = Sent<'path', RouteOf<Op>, 'params'> &
  Sent<'query', RouteOf<Op>, 'query'> &
  Sent<'body', RouteOf<Op>, 'body'> & {
    readonly signal?: AbortSignal;
    /** Generated if missing, so the client can retry a POST by itself. */
    readonly idempotencyKey?: string;
  };

/** One part of a request under the name `As`; optional if the schema accepts an empty object. */
type Sent<As extends string, R, Part extends string> = R extends {
  [key in Part]: infer S extends z.ZodType;
}
  ? Record<never, never> extends z.input<S>
    ? { readonly [key in As]?: z.input<S> }
    : { readonly [key in As]: z.input<S> }
  : { readonly [key in As]?: undefined };

/** The body of a successful answer; undefined where it is empty. */
export type OperationResult<Op extends OperationId> = Received<RouteOf<Op>['answers']>;

type Success = 200 | 201 | 204;
type Received<A> = {
  [S in keyof A & Success]: A[S] extends { body: infer B extends z.ZodType }
    ? z.output<B>
    : undefined;
}[keyof A & Success];

export type OperationArguments<Op extends OperationId> =
  Record<never, never> extends OperationInput<Op>
    ? [input?: OperationInput<Op>]
    : [input: OperationInput<Op>];

/** A request as sent over the wire. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}
