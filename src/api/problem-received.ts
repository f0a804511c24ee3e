import { ENDPOINTS } from './endpoints.ts';
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

  constructor(operation: keyof typeof ENDPOINTS, status: number, problem: Partial<Problem>) {
    const { method, path } = ENDPOINTS[operation];
    const { detail = `the hall answered ${status}`, code = 'unknown', mistakes = [] } = problem;
    const list = mistakes.map((mistake) => `\n  ${mistake.path}: ${mistake.message}`).join('');
    super(`${method} ${path} failed with ${status} ${code}: ${detail}${list}`);
    this.operation = operation;
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.mistakes = mistakes;
    this.request = problem.instance ?? null;
  }
}

/** No answer arrived. The hall may have carried out the request anyway. */
export class HallUnreachable extends Error {
  override readonly name = 'HallUnreachable';

  constructor(url: string, cause: unknown) {
    const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
    const reason = inner instanceof Error ? inner.message : String(inner);
    super(`no answer from ${url}: ${reason}`, { cause });
  }
}
