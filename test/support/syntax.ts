import ts from 'typescript';
import type { TreeFile } from './tree.ts';

const parsed = new WeakMap<TreeFile, ts.SourceFile>();

/** The syntax tree of a file, made once however many guards ask for it. */
export function syntaxOf(file: TreeFile): ts.SourceFile {
  const known = parsed.get(file);
  if (known) return known;

  const tree = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  parsed.set(file, tree);
  return tree;
}

/** Every node of a file, in the order of the text. */
export function* nodesOf(file: TreeFile): Generator<ts.Node> {
  yield* nodesBelow(syntaxOf(file));
}

export function* nodesBelow(node: ts.Node): Generator<ts.Node> {
  yield node;
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => {
    children.push(child);
  });
  for (const child of children) yield* nodesBelow(child);
}

/** `path:line`, the form that terminals and editors open. */
export function placeOf(file: TreeFile, node: ts.Node): string {
  const { line } = syntaxOf(file).getLineAndCharacterOfPosition(node.getStart());
  return `${file.path}:${line + 1}`;
}

export interface Import {
  readonly specifier: string;
  /** The names that are taken out of the module; `*` stands for all of it. */
  readonly names: readonly string[];
  /** Erased before the program runs; `import { type A }` is not: it still loads the module. */
  readonly isType: boolean;
  readonly node: ts.Node;
}

/** Everything that a file imports: static, dynamic and type imports, and re-exports. */
export function importsOf(file: TreeFile): Import[] {
  return [...nodesOf(file)].flatMap((node) => {
    const specifier = specifierOf(node);
    return specifier === undefined
      ? []
      : [{ specifier, names: namesOf(node), isType: isType(node), node }];
  });
}

function specifierOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
    return textOf(node.moduleSpecifier);
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return textOf(node.argument.literal);
  }
  const isDynamic =
    ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isDynamic ? textOf(node.arguments[0]) : undefined;
}

function textOf(node: ts.Node | undefined): string | undefined {
  return node && ts.isStringLiteralLike(node) ? node.text : undefined;
}

function isType(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node)) return node.importClause?.isTypeOnly ?? false;
  return ts.isImportTypeNode(node) || (ts.isExportDeclaration(node) && node.isTypeOnly);
}

function namesOf(node: ts.Node): string[] {
  if (!ts.isImportDeclaration(node)) return ['*'];

  const named = node.importClause?.namedBindings;
  if (!named || !ts.isNamedImports(named) || node.importClause?.name) return ['*'];
  return named.elements.map((element) => (element.propertyName ?? element.name).text);
}
