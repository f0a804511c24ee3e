import ts from 'typescript';
import { nodesOf, placeOf } from '../syntax.ts';
import { isTypeScript, type TreeFile } from '../tree.ts';
import { exportedNames, hasModifier } from './exported-names.ts';

/** Words that say nothing about what a thing does. Words that the field uses (engine, handler, service) are fine. */
const EMPTY_WORDS = [
  'manager',
  'helper',
  'util',
  'orchestrator',
  'enhanced',
  'advanced',
  'smart',
  'unified',
];

/** A second version beside the first; the two versions of a kernel interface are not ours. */
const VERSION_WORD = /^v\d+$/;
const VERSIONED_ELSEWHERE = /cgroup[-_]?v[12]\b/i;

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

/** Everything is imported from the file that defines it. */
export function noBarrels(files: readonly TreeFile[]): string[] {
  return files
    .filter((file) => isTypeScript(file))
    .flatMap((file) => {
      const passedOn = [...nodesOf(file)]
        .filter((node) => ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined)
        .map((node) => `${placeOf(file, node)}: a re-export`);
      return /(^|\/)index\.tsx?$/.test(file.path)
        ? [`${file.path}: name the file after its content`, ...passedOn]
        : passedOn;
    });
}

function emptyWordIn(name: string): string | undefined {
  if (VERSIONED_ELSEWHERE.test(name)) return undefined;
  const words = name
    .split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .map((word) => word.toLowerCase());
  return words.find(
    (word) => VERSION_WORD.test(word) || EMPTY_WORDS.includes(word.replace(/s$/, '')),
  );
}

function isMarkedDefault(node: ts.Node): boolean {
  return hasModifier(node, ts.SyntaxKind.DefaultKeyword);
}
