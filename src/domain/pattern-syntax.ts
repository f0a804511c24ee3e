const MAX_STEPS = 5_000;

/** A compiled pattern, or the error in it. */
export type Compiled = Program | { readonly fault: string };

type Taking = (code: number) => boolean;

/** One step of a pattern: consumes a character, or leads elsewhere without consuming one. */
type Step =
  | { readonly takes: Taking; readonly to: number }
  | { readonly ways: readonly number[] }
  | { readonly at: 'start' | 'end' | 'word'; readonly to: number }
  | { readonly done: true };

export interface Program {
  readonly steps: readonly Step[];
  readonly first: number;
  /** Every match contains it; it alone rules out most texts. */
  readonly required: string;
}

/** A pattern under construction, built from its end to its beginning. */
class Building {
  readonly steps: Step[] = [];

  add(step: Step): number {
    if (this.steps.length < MAX_STEPS) this.steps.push(step);
    return this.steps.length - 1;
  }

  program(first: number, required: string): Compiled {
    if (this.steps.length >= MAX_STEPS) return { fault: 'is too large' };
    return { steps: this.steps, first, required };
  }

  /** A step whose targets are set later, for loops. */
  fork(): { readonly at: number; lead(ways: readonly number[]): void } {
    const at = this.add({ ways: [] });
    return { at, lead: (ways) => (this.steps[at] = { ways }) };
  }
}

const ANY: Taking = () => true;

export function parseGlob(glob: string): Compiled {
  const building = new Building();
  const done = building.add({ done: true });
  let next = building.add({ at: 'end', to: done });
  // Match from the front, because a backslash may itself be escaped.
  const parts = glob.match(/\\[*?\\]|./gs) ?? [];
  for (const part of parts.toReversed()) {
    if (part === '*') next = starOf(building, ANY, next);
    else if (part === '?') next = building.add({ takes: ANY, to: next });
    else next = building.add({ takes: exactly(part.charCodeAt(part.length - 1)), to: next });
  }
  const literals = parts.map((part) => (part === '*' || part === '?' ? null : part.slice(-1)));
  return building.program(building.add({ at: 'start', to: next }), longestRun(literals));
}

/** The longest text between two gaps. */
function longestRun(literals: readonly (string | null)[]): string {
  let longest = '';
  let run = '';
  for (const literal of literals) {
    run = literal === null ? '' : run + literal;
    if (run.length > longest.length) longest = run;
  }
  return longest;
}

function exactly(code: number): Taking {
  return (other) => other === code;
}

function starOf(building: Building, takes: Taking, next: number): number {
  const fork = building.fork();
  const body = building.add({ takes, to: fork.at });
  fork.lead([body, next]);
  return fork.at;
}

type Node =
  | { readonly is: 'takes'; readonly takes: Taking; readonly literal?: string }
  | { readonly is: 'at'; readonly at: 'start' | 'end' | 'word' }
  | { readonly is: 'row'; readonly of: readonly Node[] }
  | { readonly is: 'either'; readonly of: readonly Node[] }
  | { readonly is: 'times'; readonly node: Node; readonly least: number; readonly most: number };

export function parseRegex(source: string): Compiled {
  const reader = new RegexReader(source);
  const node = reader.whole();
  if (reader.fault !== undefined) return { fault: reader.fault };
  if (weightOf(node) > MAX_STEPS) return { fault: 'is too large' };
  const building = new Building();
  const done = building.add({ done: true });
  const body = build(building, node, done);
  // An anchored pattern is only tried at the start of the text.
  const first = isAnchored(node) ? body : starOf(building, ANY, body);
  return building.program(first, longestRun(literalsIn(node)));
}

/** What every match of a node has in this order; null where anything may be. */
function literalsIn(node: Node): readonly (string | null)[] {
  if (node.is === 'takes') return [node.literal ?? null];
  if (node.is === 'row') return node.of.flatMap(literalsIn);
  return node.is === 'at' ? [] : [null];
}

function build(building: Building, node: Node, next: number): number {
  switch (node.is) {
    case 'takes':
      return building.add({ takes: node.takes, to: next });
    case 'at':
      return building.add({ at: node.at, to: next });
    case 'row':
      return node.of.reduceRight((after, each) => build(building, each, after), next);
    case 'either':
      return building.add({ ways: node.of.map((each) => build(building, each, next)) });
    case 'times':
      return buildTimes(building, node, next);
  }
}

function buildTimes(
  building: Building,
  { node, least, most }: Extract<Node, { is: 'times' }>,
  next: number,
): number {
  let after = next;
  if (most === Number.POSITIVE_INFINITY) {
    const fork = building.fork();
    fork.lead([build(building, node, fork.at), next]);
    after = fork.at;
  } else {
    for (let n = least; n < most; n += 1) {
      after = building.add({ ways: [build(building, node, after), next] });
    }
  }
  for (let n = 0; n < least; n += 1) after = build(building, node, after);
  return after;
}

const CLASSES: Readonly<Record<string, Taking>> = {
  d: (code) => code >= 48 && code <= 57,
  w: isWordCode,
  s: (code) => code === 32 || (code >= 9 && code <= 13) || code === 160,
};
const CONTROLS: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, f: 12, v: 11 };

export function isWordCode(code: number): boolean {
  return (
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    code === 95
  );
}

class RegexReader {
  readonly #source: string;
  fault: string | undefined;
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Parsing stops at the first error. */
  #fail(fault: string): Node {
    this.fault ??= fault;
    this.#at = this.#source.length;
    return { is: 'row', of: [] };
  }

  whole(): Node {
    const node = this.#either();
    return this.#at < this.#source.length ? this.#fail('has an unmatched )') : node;
  }

  #either(): Node {
    const rows = [this.#row()];
    while (this.#source[this.#at] === '|') {
      this.#at += 1;
      rows.push(this.#row());
    }
    return rows.length === 1 ? (rows[0] as Node) : { is: 'either', of: rows };
  }

  #row(): Node {
    const of: Node[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at] as string)) {
      of.push(this.#times(this.#one()));
    }
    return { is: 'row', of };
  }

  #times(node: Node): Node {
    const rest = this.#source.slice(this.#at);
    const counted = /^\{(\d{1,3})(?:(,)(\d{0,3}))?\}/.exec(rest);
    const sign = /^[*+?]/.exec(rest)?.[0];
    if (!counted && !sign) return node;
    this.#at += counted ? counted[0].length : 1;
    if (this.#source[this.#at] === '?') this.#at += 1;
    const [least, most] = counted ? countsOf(counted) : (SIGNS[sign ?? '*'] ?? [0, 0]);
    if (most < least) return this.#fail('has a { } range whose maximum is less than its minimum');
    return this.#times({ is: 'times', node, least, most });
  }

  #one(): Node {
    const char = this.#source[this.#at] as string;
    this.#at += 1;
    switch (char) {
      case '(':
        return this.#group();
      case '[':
        return this.#class();
      case '.':
        return { is: 'takes', takes: (code) => code !== 10 };
      case '^':
        return { is: 'at', at: 'start' };
      case '$':
        return { is: 'at', at: 'end' };
      case '\\':
        return this.#escape();
      case '*':
      case '+':
      case '?':
        return this.#fail(`has nothing to repeat before ${char}`);
      default:
        return { is: 'takes', takes: exactly(char.charCodeAt(0)), literal: char };
    }
  }

  #group(): Node {
    this.#depth += 1;
    if (this.#depth > 20) return this.#fail('is nested too deeply');
    if (this.#source.startsWith('?:', this.#at)) this.#at += 2;
    else if (this.#source[this.#at] === '?') return this.#fail('uses (?, which is not supported');
    const node = this.#either();
    if (this.#source[this.#at] !== ')') return this.#fail('has an unmatched (');
    this.#at += 1;
    this.#depth -= 1;
    return node;
  }

  #escape(): Node {
    const char = this.#source[this.#at];
    this.#at += 1;
    if (char === undefined) return this.#fail('ends with \\');
    if (char === 'b') return { is: 'at', at: 'word' };
    if (/[1-9k]/.test(char))
      return this.#fail(`uses the backreference \\${char}, which is not supported`);
    if (isStrange(char)) return this.#fail(`has the unknown escape \\${char}`);
    const isLiteral = !/[0-9A-Za-z]/.test(char);
    return { is: 'takes', takes: escaped(char), ...(isLiteral && { literal: char }) };
  }

  #class(): Node {
    const not = this.#source[this.#at] === '^';
    if (not) this.#at += 1;
    const takings: Taking[] = [];
    while (this.#source[this.#at] !== ']' || takings.length === 0) {
      if (this.#at >= this.#source.length) return this.#fail('has an unmatched [');
      const taking = this.#member();
      if (!taking) return this.#fail('has an invalid range in [ ]');
      takings.push(taking);
    }
    this.#at += 1;
    return { is: 'takes', takes: (code) => takings.some((takes) => takes(code)) !== not };
  }

  #member(): Taking | undefined {
    const low = this.#classChar();
    if (typeof low !== 'number') return low;
    const dash = this.#source[this.#at] === '-' && this.#source[this.#at + 1] !== ']';
    if (!dash) return exactly(low);
    this.#at += 1;
    const high = this.#classChar();
    if (typeof high !== 'number' || high < low) return undefined;
    return (code) => code >= low && code <= high;
  }

  #classChar(): number | Taking {
    const char = this.#source[this.#at] ?? '-';
    this.#at += 1;
    if (char !== '\\') return char.charCodeAt(0);
    const next = this.#source[this.#at] ?? '\\';
    this.#at += 1;
    if (/[dwsDWS]/.test(next)) return escaped(next);
    if (isStrange(next)) this.#fail(`has the unknown escape \\${next}`);
    return CONTROLS[next] ?? next.charCodeAt(0);
  }
}

function isAnchored(node: Node): boolean {
  if (node.is === 'at') return node.at === 'start';
  return node.is === 'row' && node.of[0] !== undefined && isAnchored(node.of[0]);
}

/** The number of steps it compiles to; counted repeats multiply. */
function weightOf(node: Node): number {
  switch (node.is) {
    case 'row':
    case 'either':
      return node.of.reduce((sum, each) => sum + weightOf(each), 1);
    case 'times':
      return weightOf(node.node) * Math.max(node.least, Number.isFinite(node.most) ? node.most : 1);
    default:
      return 1;
  }
}

const SIGNS: Readonly<Record<string, readonly [least: number, most: number]>> = {
  '*': [0, Number.POSITIVE_INFINITY],
  '+': [1, Number.POSITIVE_INFINITY],
  '?': [0, 1],
};

function countsOf([, least, comma, most]: RegExpExecArray): readonly [number, number] {
  if (!comma) return [Number(least), Number(least)];
  return [Number(least), most ? Number(most) : Number.POSITIVE_INFINITY];
}

/** Reading an unsupported escape such as `\x41` as a letter would make a rule that matches nothing. */
function isStrange(char: string): boolean {
  return /[0-9A-Za-z]/.test(char) && !/[dwsDWS]/.test(char) && CONTROLS[char] === undefined;
}

function escaped(char: string): Taking {
  const known = CLASSES[char];
  if (known) return known;
  const opposite = CLASSES[char.toLowerCase()];
  if (opposite && /[DWS]/.test(char)) return (code) => !opposite(code);
  return exactly(CONTROLS[char] ?? char.charCodeAt(0));
}
