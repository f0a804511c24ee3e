import { type Command, forEachChild, type SyntaxNode, type Word } from 'unbash';

import { Excess } from './notes.ts';

/** Who writes which variable in a script, found before it is read. */
export interface Writers {
  /** How many places may write a variable. */
  count(name: string): number;
  /** A variable that may hold text of any kind, so that arithmetic on it could run commands. */
  isTainted(name: string): boolean;
  /** Something may write any variable at all. */
  readonly wild: boolean;
  /** A folder is changed where it cannot be told how often or when. */
  readonly wanders: boolean;
}

/** Builtins whose operands name variables. */
const NAMING: ReadonlySet<string> = new Set([
  'read',
  'mapfile',
  'readarray',
  'printf',
  'getopts',
  'unset',
  'declare',
  'typeset',
  'local',
  'export',
  'readonly',
  'let',
  'wait',
]);
const WILD: ReadonlySet<string> = new Set(['eval', 'source', '.', 'trap', 'shopt', 'enable']);
const WANDERING: ReadonlySet<string> = new Set(['cd', 'pushd', 'popd', 'eval']);
const REPEATED: ReadonlySet<string> = new Set([
  'For',
  'While',
  'Select',
  'ArithmeticFor',
  'Function',
]);

/** Deeper trees than this are made to keep a reader busy. */
const DEEPEST = 400;

export function writersIn(script: SyntaxNode): Writers {
  const counts = new Map<string, number>();
  const tainted = new Set<string>();
  const seen = { wild: false, wanders: false };

  function write(name: string, taints: boolean): void {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (taints) tainted.add(name);
  }

  function visit(node: SyntaxNode, repeated: boolean, depth: number): void {
    if (depth > DEEPEST) throw new Excess('it is nested too deep');
    for (const [name, taints] of written(node)) write(name, taints);
    if (node.type === 'Command') {
      const names = namedBy(node);
      if (names.some((name) => WILD.has(name))) seen.wild = true;
      if (repeated && names.some((name) => WANDERING.has(name))) seen.wanders = true;
      if (names.some((name) => NAMING.has(name))) {
        for (const operand of namesIn(node.args)) write(operand, true);
      }
    }
    forEachChild(node, (child) => visit(child, repeated || REPEATED.has(node.type), depth + 1));
  }

  visit(script, false, 0);
  return {
    count: (name) => counts.get(name) ?? 0,
    isTainted: (name) => tainted.has(name),
    // Where words are split is changed, so that no value is told as one word any more.
    wild: seen.wild || counts.has('IFS'),
    wanders: seen.wanders,
  };
}

/** The program of a command, and where it only passes on to a builtin, that one. */
function namedBy({ name, args }: Command): readonly string[] {
  if (name?.value !== 'command' && name?.value !== 'builtin') return name ? [name.value] : [];
  return args.flatMap((arg) => (arg.type === 'Word' ? [arg.value] : []));
}

/** Builtins that must be called by their name, or the reader would have missed what they change. */
export function changesVariables(name: string): boolean {
  return NAMING.has(name) || WILD.has(name) || WANDERING.has(name);
}

function written(node: SyntaxNode): readonly (readonly [name: string, taints: boolean])[] {
  switch (node.type) {
    case 'Assignment':
      return [[node.name, !(node.value.type === 'Word' && isPlain(node.value))]];
    case 'For':
    case 'Select':
      return [[node.name.value, !(node.wordlist?.every(isPlain) ?? false)]];
    case 'FileDescriptorVariable':
      return [[node.name, false]];
    case 'Coproc':
      return [[node.name?.value ?? 'COPROC', true]];
    case 'ParameterExpansion':
      return node.operation?.type === 'Default' && node.operation.operator.includes('=')
        ? [[node.parameter, true]]
        : [];
    case 'ArithmeticWord':
      return namesOf(node.value).map((name) => [name, false] as const);
    default:
      return [];
  }
}

/** A value that is safe to reckon with, whatever the shell makes of it. */
function isPlain(word: Word): boolean {
  if (!word.parts) return PLAIN.test(word.value);
  return word.parts.every(
    (part) =>
      part.type === 'ArithmeticExpansion' || (part.type === 'Literal' && PLAIN.test(part.value)),
  );
}

const PLAIN = /^[\w.+*/ -]*$/;

function namesIn(args: readonly SyntaxNode[]): readonly string[] {
  return args.flatMap((arg) => (arg.type === 'Word' ? namesOf(arg.value) : []));
}

export function namesOf(text: string): readonly string[] {
  return text.match(/[A-Za-z_]\w*/g) ?? [];
}
