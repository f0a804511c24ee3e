import { posix } from 'node:path';
import ts from 'typescript';
import { importsOf, nodesOf, placeOf, syntaxOf } from '../syntax.ts';
import { isProduct, isTypeScript, type TreeFile } from '../tree.ts';

/** Exports that nothing in the product imports, each with the reason to keep it. */
const NEEDED: Readonly<Record<string, string>> = {
  'src/cli/main.ts main': 'bin/guildhall.js starts it',
  'src/adapters/memory/store.ts createMemoryStore': 'the store of suites and simulations',
  'src/adapters/forge-emulator/emulator.ts startForgeEmulator': 'the forge of suites',
  'src/adapters/forge-emulator/state/ci-script.ts redThenGreen': 'the CI of suites',
  'src/domain/why-idle.ts IdleReason': 'the declarations of the build name it',
  'src/config/schema-keys.ts everyKey': 'the reference page is compared with it',
};

/**
 * Every export is imported by another file of the product. An export that only tests import may stay if its own
 * file uses it; otherwise the product would carry it for the tests.
 */
export function exportsAreUsed(files: readonly TreeFile[]): string[] {
  const written = files.filter((file) => isTypeScript(file));
  const byProduct = namesTaken(written.filter((file) => isProduct(file)));
  const byOthers = namesTaken(written.filter((file) => !isProduct(file)));
  return files
    .filter((file) => isProduct(file))
    .flatMap((file) =>
      exportsOf(file).flatMap(({ name, node }) => {
        if (`${file.path} ${name}` in NEEDED || isTaken(byProduct, file, name)) return [];
        const isTested = isTaken(byOthers, file, name);
        if (isTested && isUsedInside(file, name)) return [];
        const fault = isTested ? `only tests import ${name}` : `nothing imports ${name}`;
        return [`${placeOf(file, node)}: ${fault}`];
      }),
    );
}

type Taken = ReadonlyMap<string, ReadonlySet<string>>;

function isTaken(taken: Taken, { path }: TreeFile, name: string): boolean {
  const names = taken.get(path);
  return names !== undefined && (names.has(name) || names.has('*'));
}

function isUsedInside(file: TreeFile, name: string): boolean {
  const named = [...nodesOf(file)].filter((node) => ts.isIdentifier(node) && node.text === name);
  return named.length > 1;
}

/** The names that are imported from each file, by its path; `*` is all of them. */
function namesTaken(files: readonly TreeFile[]): Taken {
  const taken = new Map<string, Set<string>>();
  for (const file of files) {
    for (const { specifier, names } of importsOf(file)) {
      if (!specifier.startsWith('.')) continue;
      const target = posix.join(posix.dirname(file.path), specifier);
      const known = taken.get(target) ?? new Set();
      taken.set(target, known);
      for (const name of names) known.add(name);
    }
  }
  return taken;
}

interface Exported {
  readonly name: string;
  readonly node: ts.Node;
}

function exportsOf(file: TreeFile): Exported[] {
  return syntaxOf(file).statements.flatMap((node): Exported[] => {
    if (ts.isExportDeclaration(node) && node.exportClause && ts.isNamedExports(node.exportClause)) {
      return node.exportClause.elements.map(({ name }) => ({ name: name.text, node }));
    }
    if (!isExported(node)) return [];
    if (ts.isVariableStatement(node)) {
      return node.declarationList.declarations.map(({ name }) => ({ name: name.getText(), node }));
    }
    const isNamed =
      ts.isFunctionDeclaration(node) ||
      ts.isClassDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node);
    return isNamed && node.name ? [{ name: node.name.text, node }] : [];
  });
}

function isExported(node: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(node) ? ts.getModifiers(node) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}
