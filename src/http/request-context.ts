import type { ServerResponse } from 'node:http';
import type { z } from 'zod';
import type { Route } from '../api/route.ts';
import type { OperationId, RouteOf } from '../api/routes.ts';
import type { Meta, Replayed } from '../board/command.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { Caller } from './caller.ts';
import type { Refused } from './problem.ts';

type Checked<S> = S extends z.ZodType ? z.output<S> : undefined;
type Part<R, K extends keyof Route> = K extends keyof R ? Checked<R[K]> : undefined;

/** A request after it passed the door: who asks for what, checked. */
export interface RequestContext<Op extends OperationId> {
  readonly operation: Op;
  readonly params: Part<RouteOf<Op>, 'params'>;
  readonly query: Part<RouteOf<Op>, 'query'>;
  readonly body: Part<RouteOf<Op>, 'body'>;
  readonly caller: Caller;
  readonly meta: Meta;
  /** What makes this request safe to repeat, when the client wishes so. */
  readonly idempotencyKey: IdempotencyKey | undefined;
  /** Names the request in the log and in its answer. */
  readonly request: string;
  readonly lastEventId: string | undefined;
  /** For answers that are written piece by piece, and to learn that the client went away. */
  readonly response: ServerResponse;
}

export interface IdempotencyKey {
  readonly key: string;
  readonly request: string;
  /** Known to the client alone; what must not lie readable in the store is sealed with it. */
  readonly secret: string;
}

type Deep<T> = T extends readonly (infer E)[]
  ? readonly Deep<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Deep<T[K]> }
    : T;

/** How an answer is written, when that is not for the door to work out. */
interface Written {
  readonly text?: string;
  readonly type?: string;
}

type Replies<A> = {
  [S in keyof A]: A[S] extends { readonly body: infer B extends z.ZodType }
    ? { readonly status: S; readonly body: Deep<z.output<B>> } & Written
    : { readonly status: S; readonly body?: undefined } & Written;
}[keyof A];

/** What an operation may answer when all goes well, as the table of routes has it. */
type Reply<Op extends OperationId> = Replies<RouteOf<Op>['answers']>;

/** The implementation has written to the response itself. */
export const STREAMED = Symbol('taken');

type Outcome<Op extends OperationId> = Reply<Op> | Refusal | Replayed | Refused | typeof STREAMED;

export type OperationHandler<Op extends OperationId> = (
  ask: RequestContext<Op>,
) => Outcome<Op> | Promise<Outcome<Op>>;

export type Operations = { readonly [Op in OperationId]: OperationHandler<Op> };
