import { buildOrSayWhy, KINDS } from './cell-kinds.ts';

// Reports whether a sandbox can be built here, for tests that take away what it needs.
const built = await buildOrSayWhy(KINDS.sandbox);
process.stdout.write('missing' in built ? built.missing : 'built');
