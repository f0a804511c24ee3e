/** Chance that a seed decides: the same seed gives the same numbers for ever. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #count = 1;

  constructor(seed: number) {
    this.#a = seed | 0;
    this.#b = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
    this.#c = Math.imul(seed + 0x6a09e667, 0xc2b2ae35);
    for (let n = 0; n < 12; n += 1) this.#word();
  }

  /** At least 0, less than 1. */
  next(): number {
    return this.#word() / 4_294_967_296;
  }

  /** A whole number at least 0 and less than the limit. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** A whole number of the range, both ends included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(probability: number): boolean {
    return probability > 0 && this.next() < probability;
  }

  /** One of them; there must be one. */
  pick<T>(some: readonly T[]): T {
    return some[this.below(some.length)] as T;
  }

  /** One of them, or undefined when there is none. */
  any<T>(some: readonly T[]): T | undefined {
    return some.length === 0 ? undefined : this.pick(some);
  }

  /** A key of the table, each as likely as its weight says. */
  weighted<K extends string>(weights: Readonly<Partial<Record<K, number>>>): K {
    const entries = Object.entries(weights) as [K, number][];
    const total = entries.reduce((sum, [, weight]) => sum + weight, 0);
    let left = this.next() * total;
    for (const [key, weight] of entries) {
      left -= weight;
      if (left < 0) return key;
    }
    return (entries.at(-1) as [K, number])[0];
  }

  /** Small fast counter generator of 32-bit words (sfc32). */
  #word(): number {
    const sum = (this.#a + this.#b + this.#count) | 0;
    this.#count = (this.#count + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }
}
