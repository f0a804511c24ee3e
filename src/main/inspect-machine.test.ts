import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { loadConfig } from '../config/load.ts';
import { faultsOfImages } from './inspect-machine.ts';

test('when the image of an agent type is missing on the machine, this is reported before a task fails because of it', async () => {
  using folder = tempFolder();
  const bin = folder.file('bin');
  mkdirSync(bin);
  const podman = '#!/bin/sh\ncase "$*" in *localhost/here*) echo 0123 ;; *) exit 1 ;; esac\n';
  writeFileSync(join(bin, 'podman'), podman, { mode: 0o755 });
  const git = { name: 'A', email: 'a@example.org' };
  const typeWith = (image?: string) => ({ git, model: 'm', ...(image && { image }) });
  const types = {
    dev: typeWith('localhost/gone'),
    reviewer: typeWith('localhost/here'),
    boss: typeWith(),
  };
  const file = folder.file('guildhall.yaml');
  writeFileSync(file, JSON.stringify({ types }));
  const flags = { data: undefined, listen: undefined };
  const environment = { PATH: bin };
  const config = loadConfig({ config: file, flags, environment, cwd: folder.path, part: 'all' });
  assert.deepEqual(await faultsOfImages(config), [
    'types.dev: the image localhost/gone is not on this machine; build it, or pull it with: podman pull localhost/gone',
  ]);
});
