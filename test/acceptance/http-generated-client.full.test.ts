import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { ROUTES } from '../../src/api/routes.ts';
import { startHall } from '../support/hall.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { ROOT } from '../support/tree.ts';

/** A program written against nothing but the types generated from /openapi.json. */
const PROGRAM = `import type { components, operations } from './openapi.ts';

type Sent<Op extends 'postTasks'> = operations[Op]['requestBody']['content']['application/json'];
type Posted = operations['postTasks']['responses'][201]['content']['application/json'];
type Shown = operations['getTask']['responses'][200]['content']['application/json'];
type State = components['schemas']['TaskState'];

export async function postAndShow(url: string, token: string): Promise<[string, State]> {
  const headers = { authorization: \`Bearer \${token}\`, 'content-type': 'application/json' };
  const sent: Sent<'postTasks'> = { project: 'shop', title: 'Show prices with tax', size: 's' };
  const body = JSON.stringify(sent);
  const answer = await fetch(\`\${url}/v1/tasks\`, { method: 'POST', headers, body });
  const posted = (await answer.json()) as Posted;
  const found = await fetch(\`\${url}/v1/tasks/\${posted.tasks[0]?.id}\`, { headers });
  const shown = (await found.json()) as Shown;
  return [shown.task.title, shown.task.state];
}
`;

/** One line per operation: our client and the generated one send and receive the same. */
function agreement(): string {
  return `import type { OperationResult, OperationInput } from '${ROOT}/src/api/operation.ts';
import type { OperationId } from '${ROOT}/src/api/routes.ts';
import type { operations } from './openapi.ts';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Content<T> = T extends { content: infer C } ? C[keyof C] : undefined;
type Sent<Op extends OperationId> = {
  path: operations[Op]['parameters']['path'];
  query: operations[Op]['parameters']['query'];
  body: Content<NonNullable<operations[Op]['requestBody']>>;
};
type Ours<Op extends OperationId> = {
  path: OperationInput<Op>['path'];
  query: OperationInput<Op>['query'];
  body: NonNullable<OperationInput<Op>['body']>;
};
type Received<R> = { [S in keyof R & (200 | 201 | 204)]: Content<R[S]> }[keyof R & (200 | 201 | 204)];

export const agreement: {
  [Op in OperationId]: [
    sent: Same<Ours<Op>, Sent<Op>>,
    received: Same<OperationResult<Op>, Received<operations[Op]['responses']>>,
  ];
} = {
${Object.keys(ROUTES)
  .map((operation) => `  ${operation}: [true, true],\n`)
  .join('')}};
`;
}

/** Each line breaks a rule of the API and must not compile. */
const MISTAKES = `import type { components, operations } from './openapi.ts';

export const state: components['schemas']['TaskState'] = 'done';
export const body: operations['startRun']['requestBody']['content']['application/json'] = {};
export const path: operations['getTask']['parameters']['path'] = { id: 12 };
export const query: operations['listTasks']['parameters']['query'] = { limit: 'ten' };
export const policy: components['schemas']['Project']['merge_policy'] = 'on_approval';
`;

describe('a client generated from /openapi.json', () => {
  test('X-010a: a client generated from /openapi.json compiles, rejects wrong calls and works with the hall', async () => {
    await using hall = await startHall();
    using folder = tempFolder();
    const { body: document } = await hall.caller.get('/openapi.json');
    const types = await openapiTS(document, { defaultNonNullable: false });

    writeFileSync(folder.file('openapi.ts'), astToString(types));
    writeFileSync(folder.file('program.ts'), PROGRAM);
    writeFileSync(folder.file('mistakes.ts'), MISTAKES);
    writeFileSync(folder.file('agreement.ts'), agreement());
    writeFileSync(folder.file('package.json'), '{ "type": "module" }');

    const sources = ['program.ts', 'agreement.ts', 'mistakes.ts'].map((name) => folder.file(name));
    const found = complaints(sources);
    assert.deepEqual(
      found.map(([file, line]) => `${file}:${line}`),
      MISTAKES.split('\n').flatMap((text, at) =>
        text.startsWith('export') ? [`mistakes.ts:${at + 1}`] : [],
      ),
      JSON.stringify(found, null, 2),
    );

    const { postAndShow } = await import(folder.file('program.ts'));
    const shown = await postAndShow(hall.url, hall.token);
    assert.deepEqual(shown, ['Show prices with tax', 'available']);
  });
});

function complaints(files: readonly string[]): [file: string, line: number, text: string][] {
  const program = ts.createProgram(files, {
    allowImportingTsExtensions: true,
    module: ts.ModuleKind.NodeNext,
    noEmit: true,
    skipLibCheck: true,
    strict: true,
    target: ts.ScriptTarget.ES2024,
    typeRoots: [join(ROOT, 'node_modules/@types')],
    types: ['node'],
  });
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file?.getLineAndCharacterOfPosition(start ?? 0).line ?? -1;
    const name = file?.fileName.split('/').at(-1) ?? '';
    return [name, line + 1, ts.flattenDiagnosticMessageText(messageText, '\n')];
  });
}
