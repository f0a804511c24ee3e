import ts from 'typescript';
import { nodesOf, placeOf } from '../syntax.ts';
import { isProduct, type TreeFile } from '../tree.ts';

/** Globals that give access to the clock, randomness or the outside. */
const OUTSIDE_GLOBALS = [
  'performance',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'fetch',
  'process',
  'crypto',
];

const OUTSIDE_MEMBERS = ['Date.now', 'Math.random', 'AbortSignal.timeout'];

/** Results that depend on the time zone or the language of the machine. */
const LOCAL_MEMBERS =
  /^(get|set)(Day|Date|Month|FullYear|Hours|Minutes|Seconds|TimezoneOffset)$|^toLocale/;

/** domain/ uses neither the clock nor randomness: the same board and command give the same events. */
export function domainIsPure(files: readonly TreeFile[]): string[] {
  return productIn(files, ['src/domain/']).flatMap((file) =>
    [...nodesOf(file)].flatMap((node) => {
      const found = outsideIn(file, node) ?? localIn(node);
      return found ? [`${placeOf(file, node)}: domain may not use ${found}`] : [];
    }),
  );
}

/** If a decision could wait, something could come between a check and its effect. */
export function domainNeverWaits(files: readonly TreeFile[]): string[] {
  return productIn(files, ['src/domain/']).flatMap((file) =>
    [...nodesOf(file)]
      .filter(
        (node) =>
          ts.isAwaitExpression(node) ||
          node.kind === ts.SyntaxKind.AsyncKeyword ||
          (ts.isIdentifier(node) && node.text === 'Promise'),
      )
      .map((node) => `${placeOf(file, node)}: domain may not wait (${node.getText()})`),
  );
}

/** A query over many rows yields to the event loop, which is neither clock nor randomness. */
const YIELDS = ['setImmediate', 'process'];

/** Use cases and queries reach the clock, randomness and the outside through their needs. */
export function useCasesAskPorts(files: readonly TreeFile[]): string[] {
  return productIn(files, ['src/board/', 'src/worker/', 'src/queries/']).flatMap((file) =>
    [...nodesOf(file)].flatMap((node) => {
      const found = outsideIn(file, node);
      if (file.path.startsWith('src/queries/') && YIELDS.includes(found ?? '')) return [];
      return found ? [`${placeOf(file, node)}: ${found} belongs behind a port`] : [];
    }),
  );
}

function productIn(files: readonly TreeFile[], folders: readonly string[]): TreeFile[] {
  return files.filter(
    (file) => isProduct(file) && folders.some((folder) => file.path.startsWith(folder)),
  );
}

function outsideIn(file: TreeFile, node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) {
    const member = `${node.expression.getText()}.${node.name.text}`;
    return OUTSIDE_MEMBERS.includes(member) ? member : undefined;
  }
  if (ts.isNewExpression(node) && node.expression.getText() === 'Date') {
    return node.arguments?.length ? undefined : 'new Date() without a time';
  }
  if (ts.isCallExpression(node) && node.expression.getText() === 'Date') return 'Date()';
  if (!ts.isIdentifier(node) || !OUTSIDE_GLOBALS.includes(node.text)) return undefined;
  return isReference(node) && !isDeclaredIn(file, node.text) ? node.text : undefined;
}

function localIn(node: ts.Node): string | undefined {
  if (!ts.isPropertyAccessExpression(node)) return undefined;
  return LOCAL_MEMBERS.test(node.name.text) ? `.${node.name.text}()` : undefined;
}

/** Not the name of a field, and not inside a type. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  return !ts.isTypeNode(parent) && !ts.isTypeElement(parent) && !ts.isClassElement(parent);
}

/** A need called `fetch` is a port that happens to have the global's name. */
function isDeclaredIn(file: TreeFile, name: string): boolean {
  return [...nodesOf(file)].some(
    (node) =>
      (ts.isParameter(node) || ts.isBindingElement(node) || ts.isVariableDeclaration(node)) &&
      ts.isIdentifier(node.name) &&
      node.name.text === name,
  );
}
