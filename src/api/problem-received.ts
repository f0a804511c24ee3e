import type { Problem } from './problem.ts';

/** The hall refused the request. */
export class ProblemReceived extends Error {
  override readonly name = 'ProblemReceived';
  readonly operation: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly mistakes: readonly { readonly path: string; readonly message: string }[];
  /** The id to look for in the hall's log. */
  readonly request: string | null;

  constructor(operation: string, status: number, said: Partial<Problem>) {
    const detail = said.detail ?? `answered ${status}`;
    const mistakes = said.mistakes ?? [];
    const more = mistakes.map(({ path, message }) => `\n  ${path}: ${message}`).join('');
    super(`${operation} refused with ${status} ${said.code ?? ''}: ${detail}${more}`);
    this.operation = operation;
    this.status = status;
    this.code = said.code ?? 'unknown';
    this.detail = detail;
    this.mistakes = mistakes;
    this.request = said.instance ?? null;
  }
}

/** No answer arrived. The hall may have carried out the request anyway. */
export class HallUnreachable extends Error {
  override readonly name = 'HallUnreachable';

  constructor(operation: string, url: string, cause: unknown) {
    const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
    const why = inner instanceof Error ? inner.message : String(inner);
    super(`${operation} got no answer from ${url}: ${why}`, { cause });
  }
}
