import ts from 'typescript';
import { nodesOf, placeOf, syntaxOf } from '../syntax.ts';
import { isTypeScript, type TreeFile } from '../tree.ts';

/**
 * The longest files and functions tell good code from bad, not the median: these limits are well above the 95th
 * percentile of the best code bases of the field, so they cost nothing in good code. There is no exemption.
 */
const FILE_LINES = 400;
const FUNCTION_LINES = 60;

export function filesAreShort(files: readonly TreeFile[]): string[] {
  return files
    .filter((file) => isTypeScript(file))
    .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > FILE_LINES)
    .map(({ path, lines }) => `${path}: ${lines} lines; ${FILE_LINES} is the limit`);
}

/** A named function, method or assigned arrow, with everything nested in it. */
export function functionsAreShort(files: readonly TreeFile[]): string[] {
  return files
    .filter((file) => isTypeScript(file))
    .flatMap((file) =>
      [...nodesOf(file)].flatMap((node) => {
        const name = nameOfFunction(node);
        if (!name) return [];
        const lines = linesOf(file, node) - linesOfTests(file, node);
        if (lines <= FUNCTION_LINES) return [];
        return [
          `${placeOf(file, node)}: ${name} has ${lines} lines; ${FUNCTION_LINES} is the limit`,
        ];
      }),
    );
}

/** Undefined for anything but a function, and for a function that is only an argument. */
function nameOfFunction(node: ts.Node): string | undefined {
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  if (ts.isFunctionExpression(node) || ts.isArrowFunction(node)) return nameOfHolder(node.parent);
  const isNamed =
    ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isAccessor(node);
  return isNamed ? node.name?.getText() : undefined;
}

function nameOfHolder(node: ts.Node): string | undefined {
  const isHolder =
    ts.isVariableDeclaration(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isPropertyDeclaration(node);
  return isHolder ? node.name.getText() : undefined;
}

/** A contract suite is one function full of tests, so its length says nothing. */
function linesOfTests(file: TreeFile, node: ts.Node): number {
  let lines = 0;
  ts.forEachChild(node, (child) => {
    lines += isTestCall(child) ? linesOf(file, child) : linesOfTests(file, child);
  });
  return lines;
}

function isTestCall(node: ts.Node): boolean {
  return ts.isCallExpression(node) && /^(describe|it|test)\b/.test(node.expression.getText());
}

function linesOf(file: TreeFile, node: ts.Node): number {
  const tree = syntaxOf(file);
  const first = tree.getLineAndCharacterOfPosition(node.getStart()).line;
  const last = tree.getLineAndCharacterOfPosition(node.getEnd()).line;
  return last - first + 1;
}
