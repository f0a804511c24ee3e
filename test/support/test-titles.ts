import ts from 'typescript';
import { nodesBelow, syntaxOf } from './syntax.ts';
import { isTest, isTypeScript, type TreeFile } from './tree.ts';

/** The title of one test, with those of the suites around it. */
export interface TestTitle {
  readonly path: string;
  readonly title: string;
}

/** A row, or a clause of it: GH-T06, GH-011b. */
const ID = /\b(?:HA|GH|CH|X)-T?\d+[a-z]?\b/g;

export function idsIn(text: string): string[] {
  return text.match(ID) ?? [];
}

/** Tests against a real model are run by hand, so a title there proves nothing. */
const BY_HAND = 'test/live/';

/** Titles that name a requirement, wherever a suite is written: beside the source or in test/. */
export function titlesWithIds(files: readonly TreeFile[]): TestTitle[] {
  return files
    .filter((file) => isTypeScript(file) && (isTest(file) || file.path.startsWith('test/')))
    .filter(({ path }) => !path.startsWith(BY_HAND))
    .filter(({ text }) => idsIn(text).length > 0)
    .flatMap((file) => titlesBelow(syntaxOf(file), [], file.path))
    .filter(({ title }) => idsIn(title).length > 0);
}

function titlesBelow(node: ts.Node, around: readonly string[], path: string): TestTitle[] {
  if (isNotRun(node)) return [];

  const own = titleOf(node);
  const titles = own === undefined ? around : [...around, own];
  const isSentence = own !== undefined && !isSuite(node);
  const here = isSentence ? [{ path, title: titles.join(' › ') }] : [];

  const below: TestTitle[] = [];
  ts.forEachChild(node, (child) => {
    below.push(...titlesBelow(child, titles, path));
  });
  return [...here, ...below];
}

/**
 * The first argument of test, it and describe; of any other call and in a table of cases only if it names a
 * requirement, because contract suites have their own functions for a test.
 */
function titleOf(node: ts.Node): string | undefined {
  if (ts.isCallExpression(node)) {
    const text = textOf(node.arguments[0]);
    if (text === undefined) return undefined;
    return isTestCall(node) || idsIn(text).length > 0 ? text : undefined;
  }
  if (!ts.isPropertyAssignment(node) || !/^(title|name|proves)$/.test(node.name.getText())) {
    return undefined;
  }
  const text = textOf(node.initializer);
  return text !== undefined && idsIn(text).length > 0 ? text : undefined;
}

function textOf(node: ts.Node | undefined): string | undefined {
  if (!node) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    const spans = node.templateSpans.map(
      ({ expression, literal }) => `{${expression.getText()}}${literal.text}`,
    );
    return node.head.text + spans.join('');
  }
  if (!ts.isBinaryExpression(node)) return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  if (left === undefined && right === undefined) return undefined;
  return (left ?? `{${node.left.getText()}}`) + (right ?? `{${node.right.getText()}}`);
}

function isTestCall(node: ts.CallExpression): boolean {
  return /^(?:\w+\.)?(?:describe|suite|test|it)(?:\.only)?$/.test(node.expression.getText());
}

function isSuite(node: ts.Node): boolean {
  return ts.isCallExpression(node) && /^(?:describe|suite)\b/.test(node.expression.getText());
}

/**
 * A test that is always skipped proves nothing. One that is skipped for a missing part is reported by the run.
 */
function isNotRun(node: ts.Node): boolean {
  if (!ts.isCallExpression(node)) return false;
  if (/^(?:describe|suite|test|it)\.(?:skip|todo)$/.test(node.expression.getText())) return true;
  return isTestCall(node) && node.arguments.some((argument) => saysSkip(argument));
}

function saysSkip(node: ts.Node): boolean {
  if (!ts.isObjectLiteralExpression(node)) return false;
  return [...nodesBelow(node)].some(
    (part) =>
      ts.isPropertyAssignment(part) &&
      /^(?:skip|todo)$/.test(part.name.getText()) &&
      part.initializer.kind === ts.SyntaxKind.TrueKeyword,
  );
}
