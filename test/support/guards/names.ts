import ts from 'typescript';
import { nodesOf, placeOf, syntaxOf } from '../syntax.ts';
import { isTypeScript, type TreeFile } from '../tree.ts';

/** Words that say nothing about what a thing does; if no other comes to mind it has no single job. */
const EMPTY_WORDS = [
  'manager',
  'service',
  'helper',
  'util',
  'handler',
  'processor',
  'orchestrator',
  'engine',
  'enhanced',
  'advanced',
  'simple',
  'smart',
  'unified',
  'new',
  'final',
  'data',
  'info',
  'item',
];

const VERSION_WORD = /^v\d+$/;

export function fileNamesSaySomething(files: readonly TreeFile[]): string[] {
  return files
    .filter((file) => isTypeScript(file))
    .flatMap(({ path }) => {
      const word = emptyWordIn(path.replace(/\.tsx?$/, ''));
      return word ? [`${path}: "${word}" may not be in a name`] : [];
    });
}

export function exportedNamesSaySomething(files: readonly TreeFile[]): string[] {
  return files
    .filter((file) => isTypeScript(file))
    .flatMap((file) =>
      exportedNames(file).flatMap(({ name, node }) => {
        const word = emptyWordIn(name);
        return word ? [`${placeOf(file, node)}: ${name} has "${word}" in its name`] : [];
      }),
    );
}

/** A default export has no name that a search would find. */
export function noDefaultExports(files: readonly TreeFile[]): string[] {
  return files
    .filter((file) => isTypeScript(file))
    .flatMap((file) =>
      [...nodesOf(file)]
        .filter((node) => ts.isExportAssignment(node) || isMarkedDefault(node))
        .map((node) => `${placeOf(file, node)}: a default export`),
    );
}

/** A thing is imported from where it is written. */
export function noBarrels(files: readonly TreeFile[]): string[] {
  return files
    .filter((file) => isTypeScript(file))
    .flatMap((file) => {
      const passedOn = [...nodesOf(file)]
        .filter((node) => ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined)
        .map((node) => `${placeOf(file, node)}: a re-export`);
      return /(^|\/)index\.tsx?$/.test(file.path)
        ? [`${file.path}: a file is named after what it holds`, ...passedOn]
        : passedOn;
    });
}

function emptyWordIn(name: string): string | undefined {
  const words = name
    .split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .map((word) => word.toLowerCase());
  return words.find(
    (word) => VERSION_WORD.test(word) || EMPTY_WORDS.includes(word.replace(/s$/, '')),
  );
}

interface Exported {
  readonly name: string;
  readonly node: ts.Node;
}

function exportedNames(file: TreeFile): Exported[] {
  return syntaxOf(file).statements.flatMap((statement): Exported[] => {
    if (ts.isExportDeclaration(statement)) {
      const clause = statement.exportClause;
      return clause && ts.isNamedExports(clause)
        ? clause.elements.map(({ name }) => ({ name: name.text, node: name }))
        : [];
    }
    if (!isExported(statement)) return [];
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.map(({ name }) => ({
        name: name.getText(),
        node: name,
      }));
    }
    return isNamedDeclaration(statement) && statement.name
      ? [{ name: statement.name.text, node: statement.name }]
      : [];
  });
}

function isNamedDeclaration(
  node: ts.Statement,
): node is
  | ts.FunctionDeclaration
  | ts.ClassDeclaration
  | ts.InterfaceDeclaration
  | ts.TypeAliasDeclaration {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node)
  );
}

function isExported(node: ts.Statement): boolean {
  return hasModifier(node, ts.SyntaxKind.ExportKeyword);
}

function isMarkedDefault(node: ts.Node): boolean {
  return hasModifier(node, ts.SyntaxKind.DefaultKeyword);
}

function hasModifier(node: ts.Node, kind: ts.SyntaxKind): boolean {
  return (
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node)?.some((modifier) => modifier.kind === kind) ?? false)
  );
}
