import type { components, operations } from './generated/openapi.ts';
import type { OPERATIONS } from './generated/operations.ts';

export type Operation = keyof typeof OPERATIONS;
export type Happening = components['schemas']['Event'];
export type ProblemDocument = components['schemas']['Problem'];

type ParametersOf<Op extends Operation> = operations[Op]['parameters'];
type Asking<K extends string, V> = [NonNullable<V>] extends [never]
  ? { readonly [key in K]?: undefined }
  : undefined extends V
    ? { readonly [key in K]?: NonNullable<V> }
    : { readonly [key in K]: V };
type BodyIn<R> = R extends { content: { 'application/json': infer B } } ? B : never;
type BodyOf<Op extends Operation> = operations[Op] extends { requestBody: infer R }
  ? BodyIn<R>
  : BodyIn<NonNullable<operations[Op]['requestBody']>> | undefined;
type JsonIn<R> = R extends { content: { 'application/json': infer B } } ? B : undefined;
type Good = 200 | 201 | 204;

/** What an operation takes, beside its name. */
export type Asked<Op extends Operation> = Asking<'path', ParametersOf<Op>['path']> &
  Asking<'query', ParametersOf<Op>['query']> &
  Asking<'body', BodyOf<Op>> & {
    readonly signal?: AbortSignal;
    /** Made up when it is not given, so that the client can repeat a POST by itself. */
    readonly idempotencyKey?: string;
  };

/** What a successful answer holds; undefined where it is empty. */
export type Answered<Op extends Operation> = {
  [S in keyof operations[Op]['responses'] & Good]: JsonIn<operations[Op]['responses'][S]>;
}[keyof operations[Op]['responses'] & Good];

export type Arguments<Op extends Operation> =
  Record<never, never> extends Asked<Op> ? [asked?: Asked<Op>] : [asked: Asked<Op>];

/** A request as it is put on the wire. */
export interface Sending {
  readonly operation: Operation;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}
