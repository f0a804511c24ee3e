import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import ts from 'typescript';
import { floatingPromises } from './floating-promises.ts';
import { openSwitches } from './open-switches.ts';
import { ROOT } from './tree.ts';

/** One statement per line, each with whether it is refused. */
const PROMISES = {
  "rm('a');": 'refused',
  "rm('a').then(() => 1);": 'refused',
  "rm('a').finally(() => 1);": 'refused',
  'pending?.();': 'refused',
  "await rm('a');": 'fine',
  "void rm('a');": 'fine',
  "rm('a').catch(() => 1);": 'fine',
  "rm('a').then(() => 1, () => 2);": 'fine',
  "rm('a').catch(() => 1).finally(() => 1);": 'fine',
  "it('a', () => 1);": 'fine',
};

const SWITCHES = {
  "switch (word) { case 'a': case 'b': }": 'refused',
  "switch (shape.is) { case 'round': }": 'refused',
  "switch (part) { case 'a': }": 'refused',
  "switch (maybe) { case 'a': }": 'refused',
  "switch (word) { case 'a': case 'b': case 'c': }": 'fine',
  "switch (part) { case 'a': case 'b': }": 'fine',
  "switch (word) { case 'a': break; default: }": 'fine',
  "switch (text) { case 'a': }": 'fine',
};

const HEAD = `import { rm } from 'node:fs/promises';
import { it } from 'node:test';
declare const pending: (() => Promise<void>) | undefined;
type Word = 'a' | 'b' | 'c';
declare const word: Word;
declare const part: Exclude<Word, 'c'>;
declare const maybe: 'a' | undefined;
declare const shape: { is: 'round' } | { is: 'flat' };
declare const text: string;
`;

describe('the check of types', () => {
  const folder = mkdtempSync(join(tmpdir(), 'guildhall-types-'));
  after(() => rmSync(folder, { recursive: true }));

  it('the type check finds a promise of a library that is not awaited', () => {
    assert.deepEqual(linesOf(floatingPromises(programOf(PROMISES))), refusedIn(PROMISES));
  });

  it('the type check finds a switch that does not handle a member of a union', () => {
    assert.deepEqual(linesOf(openSwitches(programOf(SWITCHES))), refusedIn(SWITCHES));
  });

  it('Node, the web and the console are unknown to the compiler in domain', () => {
    const outside = ['process', 'fetch', 'setTimeout', 'Buffer', 'console', 'crypto', 'window'];
    const file = join(folder, 'domain.ts');
    writeFileSync(file, [...outside, "import 'node:fs';", 'export {};'].join(';\n'));

    const settings = ts.readConfigFile(join(ROOT, 'src/domain/tsconfig.json'), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent(
      settings.config,
      ts.sys,
      join(ROOT, 'src/domain'),
    );
    const mistakes = ts.getPreEmitDiagnostics(ts.createProgram([file], options));

    assert.equal(mistakes.length, outside.length + 1);
  });

  function programOf(statements: Readonly<Record<string, string>>): ts.Program {
    const file = join(folder, 'statements.mts');
    writeFileSync(file, HEAD + Object.keys(statements).join('\n'));
    return ts.createProgram([file], {
      module: ts.ModuleKind.NodeNext,
      noEmit: true,
      strict: true,
      target: ts.ScriptTarget.ES2024,
      typeRoots: [join(ROOT, 'node_modules/@types')],
      types: ['node'],
    });
  }
});

function linesOf(faults: readonly string[]): number[] {
  return faults.map((fault) => Number(/:(\d+):/.exec(fault)?.[1]));
}

function refusedIn(statements: Readonly<Record<string, string>>): number[] {
  const first = HEAD.split('\n').length;
  return Object.values(statements).flatMap((answer, index) =>
    answer === 'refused' ? [first + index] : [],
  );
}
