import { join } from 'node:path';
import ts from 'typescript';
import { floatingPromises } from './floating-promises.ts';
import { openSwitches } from './open-switches.ts';
import { ROOT } from './tree.ts';

/** The same as `tsc --noEmit`, and two more rules that need the types. */
const config = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
const { fileNames, options } = ts.parseJsonConfigFileContent(config.config, ts.sys, ROOT);
const program = ts.createProgram(fileNames, options);

const mistakes = ts.formatDiagnostics(ts.getPreEmitDiagnostics(program), {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => ROOT,
  getNewLine: () => '\n',
});
const faults = [...floatingPromises(program), ...openSwitches(program)];

process.stdout.write(
  [mistakes, ...faults.map((fault) => fault.replace(`${ROOT}/`, ''))].join('\n'),
);
process.exitCode = mistakes === '' && faults.length === 0 ? 0 : 1;
