const CHUNK = 512;

/**
 * A sorted set of number pairs that stays fast at any size and in any order of arrival.
 *
 * Waiting tasks are added at the end and removed at the front, but a requeued one returns to its
 * old place in the middle. One long array would shift every later entry each time.
 */
export class OrderedPairs {
  #chunks: Chunk[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(major: number, minor: number): boolean {
    const chunk = this.#chunks[this.#chunkFor(major, minor)] ?? this.#newChunk();
    const at = chunk.find(major, minor);
    if (chunk.majors[at] === major && chunk.minors[at] === minor) return false;
    chunk.insert(at, major, minor);
    this.#size += 1;
    if (chunk.majors.length > CHUNK) this.#split(chunk);
    return true;
  }

  remove(major: number, minor: number): boolean {
    const index = this.#chunkFor(major, minor);
    const chunk = this.#chunks[index];
    if (!chunk) return false;
    const at = chunk.find(major, minor);
    if (chunk.majors[at] !== major || chunk.minors[at] !== minor) return false;
    chunk.drop(at);
    this.#size -= 1;
    if (chunk.majors.length === 0) this.#chunks.splice(index, 1);
    return true;
  }

  has(major: number, minor: number): boolean {
    const chunk = this.#chunks[this.#chunkFor(major, minor)];
    if (!chunk) return false;
    const at = chunk.find(major, minor);
    return chunk.majors[at] === major && chunk.minors[at] === minor;
  }

  first(): readonly [major: number, minor: number] | undefined {
    const chunk = this.#chunks[0];
    const major = chunk?.majors[0];
    const minor = chunk?.minors[0];
    return major === undefined || minor === undefined ? undefined : [major, minor];
  }

  /** The number of pairs before this one. */
  rank(major: number, minor: number): number {
    const index = this.#chunkFor(major, minor);
    const before = this.#chunks.slice(0, index).reduce((n, chunk) => n + chunk.majors.length, 0);
    return before + (this.#chunks[index]?.find(major, minor) ?? 0);
  }

  *[Symbol.iterator](): Generator<readonly [major: number, minor: number]> {
    for (const chunk of this.#chunks) {
      for (let at = 0; at < chunk.majors.length; at += 1) {
        yield [chunk.majors[at] as number, chunk.minors[at] as number];
      }
    }
  }

  /** The last chunk that starts at or before the pair, where the pair is or would be. */
  #chunkFor(major: number, minor: number): number {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#chunks[middle]?.startsAfter(major, minor)) high = middle - 1;
      else low = middle;
    }
    return low;
  }

  #newChunk(): Chunk {
    const chunk = new Chunk([], []);
    this.#chunks.push(chunk);
    return chunk;
  }

  /** Pairs arrive at the end, so the last chunk stays nearly full and the others are halved. */
  #split(chunk: Chunk): void {
    const index = this.#chunks.indexOf(chunk);
    const at = index === this.#chunks.length - 1 ? CHUNK - 8 : CHUNK >> 1;
    this.#chunks.splice(index + 1, 0, new Chunk(chunk.majors.splice(at), chunk.minors.splice(at)));
  }
}

class Chunk {
  readonly majors: number[];
  readonly minors: number[];

  constructor(majors: number[], minors: number[]) {
    this.majors = majors;
    this.minors = minors;
  }

  find(major: number, minor: number): number {
    let low = 0;
    let high = this.majors.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const there = this.majors[middle] as number;
      const before = there < major || (there === major && (this.minors[middle] as number) < minor);
      if (before) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  startsAfter(major: number, minor: number): boolean {
    const first = this.majors[0] as number;
    return first > major || (first === major && (this.minors[0] as number) > minor);
  }

  insert(at: number, major: number, minor: number): void {
    if (at === this.majors.length) {
      this.majors.push(major);
      this.minors.push(minor);
      return;
    }
    this.majors.splice(at, 0, major);
    this.minors.splice(at, 0, minor);
  }

  drop(at: number): void {
    if (at === 0) {
      this.majors.shift();
      this.minors.shift();
      return;
    }
    this.majors.splice(at, 1);
    this.minors.splice(at, 1);
  }
}
