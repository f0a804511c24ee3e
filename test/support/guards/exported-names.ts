import ts from 'typescript';
import { syntaxOf } from '../syntax.ts';
import type { TreeFile } from '../tree.ts';

/** A name that a file exports, and where. */
export interface Exported {
  readonly name: string;
  readonly node: ts.Node;
}

export function exportedNames(file: TreeFile): Exported[] {
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

export function hasModifier(node: ts.Node, kind: ts.SyntaxKind): boolean {
  return (
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node)?.some((modifier) => modifier.kind === kind) ?? false)
  );
}
