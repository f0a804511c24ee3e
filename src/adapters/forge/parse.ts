import type { z } from 'zod';
import { ForgeFailed } from '../../ports/forge.ts';

/** Parses an answer, or says which part of it the hall cannot read. */
export function parsed<S extends z.ZodType>(schema: S, body: unknown, what: string): z.output<S> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue?.path.join('.') ?? '';
  throw new ForgeFailed(
    `the forge's answer about ${what} cannot be read: ${place} ${issue?.message}`,
    {
      retry: 'later',
    },
  );
}

export function instantIn(text: string | null | undefined): number {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? 0 : at;
}
