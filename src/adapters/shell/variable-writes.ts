import { type Command, forEachChild, type SyntaxNode, type Word } from 'unbash';
import { isControlling } from '../../domain/tool-policy/environment.ts';
import { TooComplex } from './parsed-command-builder.ts';

/** The places that write each variable of a script, found before reading it. */
export interface VariableWrites {
  /** How many places may write a variable. */
  count(name: string): number;
  /** A variable that may hold any text, so arithmetic on it could run commands. */
  isTainted(name: string): boolean;
  /** Variables that change which programs run, and that something other than an assignment writes. */
  readonly controlling: readonly string[];
  /** Something may write any variable at all. */
  readonly mayWriteAny: boolean;
  /** The folder changes at a place whose time or number of runs is unknown. */
  readonly changesFolderInLoop: boolean;
}

/** Builtins whose operands name variables. */
const NAMES_VARIABLES: ReadonlySet<string> = new Set(
  `read mapfile readarray printf getopts unset declare typeset local export readonly let wait`.split(
    ' ',
  ),
);
const WRITES_ANY: ReadonlySet<string> = new Set(['eval', 'source', '.', 'trap', 'shopt', 'enable']);
const CHANGES_FOLDER: ReadonlySet<string> = new Set(['cd', 'pushd', 'popd', 'eval']);
const LOOPS: ReadonlySet<string> = new Set(['For', 'While', 'Select', 'ArithmeticFor', 'Function']);

/** Deeper trees are made to keep a reader busy. */
const MAX_DEPTH = 400;

export function findVariableWrites(script: SyntaxNode): VariableWrites {
  const counts = new Map<string, number>();
  const tainted = new Set<string>();
  const controlling = new Set<string>();
  const seen = { wild: false, wanders: false };

  function write(name: string, taints: boolean): void {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (taints) tainted.add(name);
  }

  function visit(node: SyntaxNode, repeated: boolean, depth: number): void {
    if (depth > MAX_DEPTH) throw new TooComplex('it is nested too deeply');
    for (const [name, taints] of variablesWritten(node)) {
      write(name, taints);
      if (node.type !== 'Assignment' && isControlling(name)) controlling.add(name);
    }
    if (node.type === 'Command') {
      const names = programsOf(node);
      if (names.some((name) => WRITES_ANY.has(name))) seen.wild = true;
      if (repeated && names.some((name) => CHANGES_FOLDER.has(name))) seen.wanders = true;
      if (names.some((name) => NAMES_VARIABLES.has(name))) {
        for (const operand of namesIn(node.args)) write(operand, true);
      }
    }
    forEachChild(node, (child) => visit(child, repeated || LOOPS.has(node.type), depth + 1));
  }

  visit(script, false, 0);
  return {
    count: (name) => counts.get(name) ?? 0,
    isTainted: (name) => tainted.has(name),
    controlling: [...controlling],
    // A change of IFS changes word splitting, so no value is certain to be one word.
    mayWriteAny: seen.wild || counts.has('IFS'),
    changesFolderInLoop: seen.wanders,
  };
}

/** The program of a command, and the builtin that it only passes on to. */
function programsOf({ name, args }: Command): readonly string[] {
  if (name?.value !== 'command' && name?.value !== 'builtin') return name ? [name.value] : [];
  return args.flatMap((arg) => (arg.type === 'Word' ? [arg.value] : []));
}

/** Builtins that must be called by name, or the reader would miss what they change. */
export function changesVariables(name: string): boolean {
  return NAMES_VARIABLES.has(name) || WRITES_ANY.has(name) || CHANGES_FOLDER.has(name);
}

function variablesWritten(node: SyntaxNode): readonly (readonly [name: string, taints: boolean])[] {
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

/** A value that is safe in arithmetic, whatever the shell makes of it. */
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
