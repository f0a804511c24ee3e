import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createKeyFile } from '../../src/adapters/secrets/key-file.ts';
import type { Hall } from '../../src/board/hall.ts';
import { KnownSecrets } from '../../src/board/known-secrets.ts';
import { SecretStore } from '../../src/board/secret-store.ts';
import type { Log } from '../../src/ports/log.ts';
import { tempFolder } from './temp-folder.ts';

const nothing = () => undefined;
const SILENT: Log = { info: nothing, warn: nothing, error: nothing };

/** The secrets of a hall in a test; there are none without the folder of their key file. */
export function testSecrets(hall: Hall, folder = 'nowhere', log: Log = SILENT) {
  const known = new KnownSecrets();
  const path = join(folder, 'hall.key');
  const notIn = join(folder, 'data');
  const key = createKeyFile({ path, notIn, known: (text) => known.receive(text) });
  const secretStore = new SecretStore({
    hall,
    key,
    isShared: false,
    known,
    clock: hall.clock,
    log,
  });
  return { known, secretStore, secretUses: () => [] };
}

/** The same with a real key file, which the first secret makes. */
export async function openTestSecrets(hall: Hall, log: Log) {
  const folder = tempFolder();
  mkdirSync(folder.file('data'));
  const secrets = testSecrets(hall, folder.path, log);
  await secrets.secretStore.refresh();
  const close = () => {
    secrets.secretStore.stop();
    folder[Symbol.dispose]();
  };
  return { ...secrets, close };
}
