import { buildOrSayWhy, KINDS } from './cell-kinds.ts';

// Says whether a sandbox can be built where this is run; for tests that take away what it needs.
const built = await buildOrSayWhy(KINDS.sandbox);
process.stdout.write('missing' in built ? built.missing : 'built');
