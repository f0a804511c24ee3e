import { forEachChild, type SyntaxNode } from 'unbash';
import { namesOf, type VariableWrites } from './variable-writes.ts';

/**
 * Bash evaluates the operands of arithmetic: a variable that holds `a[$(id)]` runs `id` when it is
 * converted to a number. So operands must not be able to hold such text.
 */
export function arithmeticDoubt(node: SyntaxNode, writes: VariableWrites): string | undefined {
  let doubt: string | undefined;
  function visit(inner: SyntaxNode): void {
    doubt ??= doubtfulText(inner, writes);
    if (inner.type !== 'CommandExpansion') forEachChild(inner, visit);
  }
  visit(node);
  return doubt;
}

/** Nodes in which bash evaluates text as numbers or variable names. */
export function evaluatesArithmetic(node: SyntaxNode): boolean {
  if (node.type === 'TestBinary') return /^-(eq|ne|lt|le|gt|ge)$/.test(node.operator);
  if (node.type === 'TestUnary') return node.operator === '-v';
  return node.type.startsWith('Arithmetic') || node.type === 'ParameterExpansion';
}

function doubtfulText(node: SyntaxNode, writes: VariableWrites): string | undefined {
  switch (node.type) {
    case 'ArithmeticExpansion':
      return isAmbiguous(node.text.slice(3, -2)) ? node.text : undefined;
    case 'ArithmeticCommand':
      return isAmbiguous(node.body) ? node.body : undefined;
    case 'ArithmeticWord':
      return taintedText(node.value, writes);
    case 'SimpleExpansion':
      return /^\$[\d@*]/.test(node.text) ? node.text : taintedText(node.text, writes);
    case 'ParameterExpansion':
      return node.index || node.operation?.type === 'Slice'
        ? taintedText(subscriptOf(node.text), writes)
        : undefined;
    case 'TestUnary':
      return node.operator === '-v' && (node.operand.parts || /\[/.test(node.operand.value))
        ? node.operand.text
        : undefined;
    case 'Word':
      return /\$\(|`/.test(node.value) && !node.parts ? node.text : undefined;
    case 'SingleQuoted':
      return /\$\(|`/.test(node.value) ? node.text : undefined;
    default:
      return undefined;
  }
}

/**
 * Bash reads `$((` as arithmetic only if the parentheses after it close in pairs; otherwise it starts
 * over and reads a command in two parentheses. Text that could change this count is left to a person.
 */
function isAmbiguous(inside: string): boolean {
  let depth = 0;
  for (const char of inside) {
    if (char === '(') depth += 1;
    if (char === ')') depth -= 1;
    if (depth < 0) return true;
  }
  if (depth !== 0) return true;
  return /\$\((?!\()|`/.test(inside) && /['"\\#`]|<<|\bcase\b/.test(inside);
}

/** Everything but the variable itself: its index, and the slice's start and length. */
function subscriptOf(text: string): string {
  return text.replace(/^\$\{!?\w+/, '');
}

function taintedText(text: string, writes: VariableWrites): string | undefined {
  if (/\$\{?[\d@*]/.test(text)) return text;
  return namesOf(text).some((name) => writes.isTainted(name)) ? text : undefined;
}
