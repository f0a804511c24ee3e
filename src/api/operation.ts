import type { z } from 'zod';
import type { OperationId, RouteOf } from './routes.ts';

/** What an operation takes, beside its name. */
export type OperationInput<Op extends OperationId> = Sent<'path', RouteOf<Op>, 'params'> &
  Sent<'query', RouteOf<Op>, 'query'> &
  Sent<'body', RouteOf<Op>, 'body'> & {
    readonly signal?: AbortSignal;
    /** Made up when it is not given, so that the client can repeat a POST by itself. */
    readonly idempotencyKey?: string;
  };

/** One part of a request under the name `As`; optional where the schema takes an empty object. */
type Sent<As extends string, R, Part extends string> = R extends {
  [key in Part]: infer S extends z.ZodType;
}
  ? Record<never, never> extends z.input<S>
    ? { readonly [key in As]?: z.input<S> }
    : { readonly [key in As]: z.input<S> }
  : { readonly [key in As]?: undefined };

/** What a successful answer holds; undefined where it is empty. */
export type OperationResult<Op extends OperationId> = Received<RouteOf<Op>['answers']>;

type Success = 200 | 201 | 204;
type Received<A> = {
  [S in keyof A & Success]: A[S] extends { body: infer B extends z.ZodType }
    ? z.output<B>
    : undefined;
}[keyof A & Success];

export type OperationArguments<Op extends OperationId> =
  Record<never, never> extends OperationInput<Op>
    ? [asked?: OperationInput<Op>]
    : [asked: OperationInput<Op>];

/** A request as it is put on the wire. */
export interface OutgoingRequest {
  readonly operation: OperationId;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}
