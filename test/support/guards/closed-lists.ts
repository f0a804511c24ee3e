import ts from 'typescript';
import { nodesOf, placeOf } from '../syntax.ts';
import { isProduct, type TreeFile } from '../tree.ts';

interface ClosedList {
  readonly name: string;
  readonly home: string;
  readonly words: readonly string[];
}

/** A closed list of the domain is written once; elsewhere it is used by its name. */
export function closedListsStandOnce(files: readonly TreeFile[]): string[] {
  const product = files.filter((file) => isProduct(file));
  const lists = product.filter(({ path }) => path.startsWith('src/domain/')).flatMap(listsIn);
  return product.flatMap((file) =>
    [...nodesOf(file)].flatMap((node) => {
      const words = isRowOfTable(node) ? [] : wordsOf(node, new Map());
      const list = lists.find((each) => each.home !== file.path && isSame(each.words, words));
      if (!list) return [];
      return [`${placeOf(file, node)}: this repeats ${list.name} of ${list.home}; import it`];
    }),
  );
}

/** The value for one key of a table may happen to be all the members of a list. */
function isRowOfTable({ parent }: ts.Node): boolean {
  if (parent === undefined || !ts.isPropertyAssignment(parent)) return false;
  return !['choices', 'enum'].includes(parent.name.getText());
}

/** Constants that are arrays of at least two strings, including those composed of others. */
function listsIn(file: TreeFile): ClosedList[] {
  const known = new Map<string, readonly string[]>();
  for (const node of nodesOf(file)) {
    if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name) || !node.initializer)
      continue;
    const words = wordsOf(plain(node.initializer), known);
    if (words.length > 1 && /^[A-Z_]+$/.test(node.name.text)) known.set(node.name.text, words);
  }
  return [...known].map(([name, words]) => ({ name, home: file.path, words }));
}

function plain(node: ts.Expression): ts.Expression {
  const isWrapped = ts.isAsExpression(node) || ts.isSatisfiesExpression(node);
  return isWrapped ? plain(node.expression) : node;
}

/** The members of an array of strings or of a union of them; none if it has anything else. */
function wordsOf(node: ts.Node, known: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const members = membersOf(node);
  const words = members.flatMap((member) => {
    if (ts.isSpreadElement(member)) return known.get(member.expression.getText()) ?? [];
    const literal = ts.isLiteralTypeNode(member) ? member.literal : member;
    return ts.isStringLiteral(literal) ? [literal.text] : [];
  });
  return words.length < members.length ? [] : words;
}

function membersOf(node: ts.Node): readonly ts.Node[] {
  if (ts.isArrayLiteralExpression(node)) return node.elements;
  return ts.isUnionTypeNode(node) ? node.types : [];
}

function isSame(list: readonly string[], words: readonly string[]): boolean {
  return list.length === words.length && list.every((word) => words.includes(word));
}
