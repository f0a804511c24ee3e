import type { z } from 'zod';

/**
 * Who may call a route:
 * `anyone`, even without a token; `viewer`, a viewer or an operator; `operator`; `join`, who may
 * bring a worker into the hall; `worker`, only the worker that the request is about. Where a worker
 * may do what others may, it may do it only to what is its own.
 */
export const POLICIES = [
  'anyone',
  'viewer',
  'viewer_or_worker',
  'operator',
  'operator_or_worker',
  'join',
  'worker',
] as const;
export type Policy = (typeof POLICIES)[number];

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Answer {
  readonly description: string;
  readonly body?: z.ZodType;
  readonly example?: unknown;
  /** What it is when it is not JSON. */
  readonly mediaType?: string;
}

export interface Route {
  readonly method: Method;
  /** Names in braces are parameters: `/v1/tasks/{id}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly policy: Policy;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly example?: unknown;
  /** The longest body it takes, where that is not the usual. */
  readonly mostBytes?: number;
  readonly answers: Readonly<Record<number, Answer>>;
}
