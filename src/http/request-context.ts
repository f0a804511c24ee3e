import type { ServerResponse } from 'node:http';
import type { z } from 'zod';
import type { Route } from '../api/route.ts';
import type { OperationId, RouteOf } from '../api/routes.ts';
import type { Meta } from '../board/command.ts';
import type { Replayed } from '../board/replay-response.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { Caller } from './caller.ts';
import type { Refused } from './problem.ts';

type Checked<S> = S extends z.ZodType ? z.output<S> : undefined;
type Part<R, K extends keyof Route> = K extends keyof R ? Checked<R[K]> : undefined;

/** A validated request from an authorized caller. */
export interface RequestContext<Op extends OperationId> {
  readonly operation: Op;
  readonly params: Part<RouteOf<Op>, 'params'>;
  readonly query: Part<RouteOf<Op>, 'query'>;
  readonly body: Part<RouteOf<Op>, 'body'>;
  readonly caller: Caller;
  readonly meta: Meta;
  /** Makes this request safe to repeat, if the client sent a key. */
  readonly idempotencyKey: IdempotencyKey | undefined;
  /** Identifies the request in the log and in its answer. */
  readonly request: string;
  readonly lastEventId: string | undefined;
  /** For streamed answers, and to detect that the client disconnected. */
  readonly response: ServerResponse;
}

export interface IdempotencyKey {
  readonly key: string;
  /** A hash of the body; empty where the body is secret. */
  readonly request: string;
  /** Known only to the client; it seals what must not be readable in the store. */
  readonly secret: string;
}

type Deep<T> = T extends readonly (infer E)[]
  ? readonly Deep<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Deep<T[K]> }
    : T;

/** How the answer is written, where the operation decides that. */
interface Written {
  readonly text?: string;
  readonly type?: string;
}

type Replies<A> = {
  [S in keyof A]: A[S] extends { readonly body: infer B extends z.ZodType }
    ? { readonly status: S; readonly body: Deep<z.output<B>> } & Written
    : { readonly status: S; readonly body?: undefined } & Written;
}[keyof A];

/** The successful answers of an operation, as the route table defines them. */
type Reply<Op extends OperationId> = Replies<RouteOf<Op>['answers']>;

/** The handler has written to the response itself. */
export const STREAMED = Symbol('taken');

type Outcome<Op extends OperationId> = Reply<Op> | Refusal | Replayed | Refused | typeof STREAMED;

export type OperationHandler<Op extends OperationId> = (
  context: RequestContext<Op>,
) => Outcome<Op> | Promise<Outcome<Op>>;

/** Deliveries of forges are not among them: their bytes are checked before anything parses them. */
export type Operations = {
  readonly [Op in Exclude<OperationId, 'receiveWebhook'>]: OperationHandler<Op>;
};
