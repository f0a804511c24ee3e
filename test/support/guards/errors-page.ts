import ts from 'typescript';
import { nodesOf } from '../syntax.ts';
import { isProduct, type TreeFile } from '../tree.ts';

const PAGE = 'docs/reference/errors.md';

/** The refusals and problems of the HTTP API: each code with its status. */
export type Answers = Readonly<Record<string, number>>;

/** The page lists every code and every error of the product, and nothing else. */
export function errorsPageIsComplete(files: readonly TreeFile[], codes: Answers): string[] {
  const page = files.find(({ path }) => path === PAGE)?.text ?? '';
  const rows = [...page.matchAll(/^\| `(\w+)` \|(?: (\d+) \|)?/gm)];
  const listed = rows.map(([, name = '']) => name);
  const present = [...Object.keys(codes), ...errorClasses(files)];
  return [
    ...present
      .filter((name) => !listed.includes(name))
      .map((name) => `${PAGE}: ${name} is not listed`),
    ...listed
      .filter((name) => !present.includes(name))
      .map((name) => `${PAGE}: ${name} is listed and does not exist`),
    ...listed
      .filter((name, at) => listed.indexOf(name) !== at)
      .map((name) => `${PAGE}: ${name} is listed twice`),
    ...rows
      .filter(([, name = '', status]) => name in codes && Number(status) !== codes[name])
      .map(([, name = '', status]) => `${PAGE}: ${name} is ${codes[name]}, not ${status}`),
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
