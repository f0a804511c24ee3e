/** The course of a story, as one hash to compare and, on request, as lines to read. */
export class Trace {
  #hash = 0x811c9dc5;
  readonly #line: ((text: string) => void) | undefined;

  constructor(line?: (text: string) => void) {
    this.#line = line;
  }

  get hash(): string {
    return (this.#hash >>> 0).toString(16).padStart(8, '0');
  }

  add(now: number, machine: string, label: string): void {
    this.#mix(now);
    this.#mixText(machine);
    this.#mixText(label);
    this.#line?.(`${now} ${machine}: ${label}`);
  }

  /** Something that is no step but belongs to the story. */
  note(text: string | (() => string)): void {
    this.#line?.(`        ${typeof text === 'string' ? text : text()}`);
  }

  /** Two letters and the length tell nearly all texts apart, at a tenth of the price of all letters. */
  #mixText(text: string): void {
    const { length } = text;
    this.#mix((length << 16) | (text.charCodeAt(0) << 8) | text.charCodeAt(length - 1));
  }

  #mix(word: number): void {
    this.#hash = Math.imul(this.#hash ^ word, 0x01000193);
    this.#hash ^= this.#hash >>> 15;
  }
}
