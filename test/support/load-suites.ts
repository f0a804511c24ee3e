import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';

// Loaded by suite-process.ts as its only test file. Each suite is loaded inside one of that name, so that every
// test tells which file it is from, and hooks at the top of a file are for that file alone.
for (const file of process.argv.slice(3)) {
  describe(file, async () => {
    await import(pathToFileURL(file).href);
  });
}
