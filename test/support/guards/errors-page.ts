import ts from 'typescript';
import { nodesOf } from '../syntax.ts';
import { isProduct, type TreeFile } from '../tree.ts';

const PAGE = 'docs/reference/errors.md';

/** The page lists every refusal and every error of the product, and nothing else. */
export function errorsPageIsComplete(
  files: readonly TreeFile[],
  refusals: readonly string[],
): string[] {
  const page = files.find(({ path }) => path === PAGE)?.text ?? '';
  const listed = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = '']) => name);
  const present = [...refusals, ...errorClasses(files)];
  return [
    ...present
      .filter((name) => !listed.includes(name))
      .map((name) => `${PAGE}: ${name} is not listed`),
    ...listed
      .filter((name) => !present.includes(name))
      .map((name) => `${PAGE}: ${name} is listed and does not exist`),
  ];
}

function errorClasses(files: readonly TreeFile[]): string[] {
  const classes = files
    .filter((file) => isProduct(file))
    .flatMap((file) => [...nodesOf(file)].filter((node) => ts.isClassDeclaration(node)));

  const errors = new Set(['Error']);
  for (let size = 0; size !== errors.size; ) {
    size = errors.size;
    for (const { name, heritageClauses } of classes) {
      const parent = heritageClauses?.[0]?.types[0]?.expression.getText();
      if (name && parent && errors.has(parent)) errors.add(name.text);
    }
  }
  errors.delete('Error');
  return [...errors];
}
