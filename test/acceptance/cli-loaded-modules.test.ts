import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { COMMANDS } from '../../src/cli/commands.ts';
import { HallInProcess } from '../support/hall-in-process.ts';
import { modulesLoadedBy } from '../support/loaded-modules.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Loading modules is most of the time that a short command takes. */
describe('what a command loads', () => {
  it('a command that needs no hall loads the parser of the command line, and no other command', async () => {
    using folder = tempFolder();
    const { own, packages, code } = await modulesLoadedBy(['version'], folder.path);
    assert.equal(code, 0);
    assert.deepEqual(packages, ['commander', 'picocolors']);
    assert.deepEqual(own.filter(isCommand), ['src/cli/version.ts']);
    assert.deepEqual(
      own.filter((path) => /^src\/(domain|adapters|board|http|queries)\//.test(path)),
      [],
    );
  });

  it('the help loads no library but the parser of the command line', async () => {
    using folder = tempFolder();
    for (const args of [['help'], ['task', '--help'], ['token', 'create', '--help']]) {
      const { packages } = await modulesLoadedBy(args, folder.path);
      assert.deepEqual(packages, ['commander', 'picocolors'], args.join(' '));
    }
  });

  it('a command that calls the hall loads neither the schemas nor fetch', async () => {
    await using hall = await HallInProcess.start({ projects: { shop: 1 } });
    for (const args of [['board'], ['task', 'list'], ['project', 'show', 'shop']]) {
      const line = [...args, '--config', hall.config];
      const { packages, inNode, code } = await modulesLoadedBy(line, hall.folder);
      assert.equal(code, 0, args.join(' '));
      assert.deepEqual(packages, ['commander', 'picocolors', 'yaml'], args.join(' '));
      assert.deepEqual(
        inNode.filter((name) => name.includes('undici')),
        [],
        args.join(' '),
      );
    }
  });

  it('a command that reads the configuration loads the messages of zod in English only', async () => {
    using folder = tempFolder();
    const { packageFiles, code } = await modulesLoadedBy(['config', 'show'], folder.path);
    assert.equal(code, 0);
    const languages = packageFiles.filter((path) => /^zod\/v4\/locales\//.test(path));
    assert.deepEqual(languages, ['zod/v4/locales/en.js']);
  });
});

const FILES = new Set(COMMANDS.map(({ path }) => `src/cli/${path.replace(' ', '/')}.ts`));

function isCommand(path: string): boolean {
  return FILES.has(path);
}
