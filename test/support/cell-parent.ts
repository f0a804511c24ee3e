import { cellFixture } from './cell-fixture.ts';
import { KINDS } from './cell-kinds.ts';
import { CONTAINER } from './container-kind.ts';

// A process that has a cell, for tests that kill it. Arguments: the kind, the script to run inside, and
// the instance whose cell it is.
const [, , kind = '', script = '', instance] = process.argv;
const chosen = [...Object.values(KINDS), CONTAINER].find(({ name }) => name === kind);
if (!chosen) throw new Error(`there is no kind of cell called ${kind}`);
const fixture = cellFixture(await chosen.build());
const cell = await fixture.cell(
  instance ? { tenant: { instance, project: null, image: null } } : {},
);
process.stdout.write('starting\n');
const program = cell.start({ argv: ['sh', '-c', script], env: {} });
for await (const chunk of program.stdout) process.stdout.write(chunk);
await fixture[Symbol.asyncDispose]();
