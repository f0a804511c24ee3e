/** Something that goes wrong with requests to an operation. */
export type Fault =
  /** Answered with this status, and nothing was done. */
  | { readonly is: 'status'; readonly status: number }
  /** 429, with the seconds to wait. */
  | { readonly is: 'too_many'; readonly retryAfter: number }
  /** GitHub's limit for writes: 403, with the seconds to wait. */
  | { readonly is: 'secondary_limit'; readonly retryAfter: number }
  /** Never answered, and nothing was done. */
  | { readonly is: 'hang' }
  /** The connection ends without an answer, before or after the work was done. */
  | { readonly is: 'drop'; readonly done: boolean };

interface Wish {
  /** `POST /repos/{owner}/{repo}/pulls`, or the beginning of it; left out: every operation. */
  readonly operation?: string;
  /** How often; 1 unless told, `Infinity` until it is cleared. */
  readonly times?: number;
  /** How many requests pass before the first one that fails. */
  readonly after?: number;
}

export interface Faults {
  inject(fault: Fault, wish?: Wish): void;
  clear(): void;
}

export interface InjectedFaults extends Faults {
  /** The fault of this request, if it has one. */
  next(operation: string): Fault | null;
}

export function createFaults(): InjectedFaults {
  let planned: { fault: Fault; operation: string; left: number; skip: number }[] = [];
  return {
    inject(fault, { operation = '', times = 1, after = 0 } = {}) {
      planned.push({ fault, operation, left: times, skip: after });
    },
    clear() {
      planned = [];
    },
    next(operation) {
      for (const each of planned) {
        if (each.left === 0 || !operation.startsWith(each.operation)) continue;
        if (each.skip > 0) {
          each.skip -= 1;
          continue;
        }
        each.left -= 1;
        return each.fault;
      }
      return null;
    },
  };
}
