/** What happened, as one number to compare and, when asked for, as lines to read. */
export class Trace {
  #hash = 0x811c9dc5;
  readonly #line: ((text: string) => void) | undefined;
  readonly #words = new Map<string, number>();

  constructor(line?: (text: string) => void) {
    this.#line = line;
  }

  get hash(): string {
    return (this.#hash >>> 0).toString(16).padStart(8, '0');
  }

  add(now: number, machine: string, label: string): void {
    this.#mix(now);
    this.#mix(this.#number(machine));
    this.#mix(this.#number(label));
    this.#line?.(`${now} ${machine}: ${label}`);
  }

  /** Something that is no step but belongs to the story. */
  note(text: string | (() => string)): void {
    this.#line?.(`        ${typeof text === 'string' ? text : text()}`);
  }

  /** Texts are few, so each is numbered once. The number depends on its letters, not on its turn. */
  #number(text: string): number {
    const known = this.#words.get(text);
    if (known !== undefined) return known;
    let hash = 0;
    for (let at = 0; at < text.length; at += 1) {
      hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
    }
    this.#words.set(text, hash);
    return hash;
  }

  #mix(word: number): void {
    this.#hash = Math.imul(this.#hash ^ word, 0x01000193);
    this.#hash ^= this.#hash >>> 15;
  }
}
