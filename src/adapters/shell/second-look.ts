import { forEachChild, type SyntaxNode } from 'unbash';
import { namesOf, type Writers } from './writers.ts';

/**
 * Bash evaluates what it reckons with: a variable that holds `a[$(id)]` runs `id` when a number is
 * made of it. So numbers may only be made of what cannot hold such text.
 */
export function doubtIn(node: SyntaxNode, writers: Writers): string | undefined {
  let doubt: string | undefined;
  function visit(inner: SyntaxNode): void {
    doubt ??= doubtful(inner, writers);
    if (inner.type !== 'CommandExpansion') forEachChild(inner, visit);
  }
  visit(node);
  return doubt;
}

/** Nodes in which text is taken for numbers or for names of variables. */
export function reckons(node: SyntaxNode): boolean {
  if (node.type === 'TestBinary') return /^-(eq|ne|lt|le|gt|ge)$/.test(node.operator);
  if (node.type === 'TestUnary') return node.operator === '-v';
  return node.type.startsWith('Arithmetic') || node.type === 'ParameterExpansion';
}

function doubtful(node: SyntaxNode, writers: Writers): string | undefined {
  switch (node.type) {
    case 'ArithmeticWord':
      return tainted(node.value, writers);
    case 'SimpleExpansion':
      return /^\$[\d@*]/.test(node.text) ? node.text : tainted(node.text, writers);
    case 'ParameterExpansion':
      return node.index || node.operation?.type === 'Slice'
        ? tainted(insideOf(node.text), writers)
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

/** Everything but the variable itself: its index, where the slice begins and how long it is. */
function insideOf(text: string): string {
  return text.replace(/^\$\{!?\w+/, '');
}

function tainted(text: string, writers: Writers): string | undefined {
  if (/\$\{?[\d@*]/.test(text)) return text;
  return namesOf(text).some((name) => writers.isTainted(name)) ? text : undefined;
}
