import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import {
  buildOrSayWhy,
  KINDS,
  requiringNothing,
  sandboxNeeds,
} from '../../../test/support/cell-kinds.ts';
import { rerunAsOrdinaryUser } from '../../../test/support/ordinary-user.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { CellRefused } from '../../ports/cell.ts';
import { createSandbox } from './sandbox.ts';

const isRoot = process.getuid?.() === 0;
const TRY = join(import.meta.dirname, '../../../test/support/try-sandbox.ts');

describe('D23: a sandbox that cannot be built is refused with advice', () => {
  test('a sandbox without bubblewrap is refused with the command to install it', async () => {
    await assert.rejects(createSandbox({ path: '/nowhere' }), refusal(/apt install bubblewrap/));
    const elsewhere = { path: '/usr/bin', bubblewrap: '/nowhere/bwrap' };
    await assert.rejects(createSandbox(elsewhere), refusal(/at \/nowhere\/bwrap/));
  });

  test('a sandbox with an old bubblewrap is refused with the version it needs', async () => {
    using folder = tempFolder();
    const old = folder.file('bwrap');
    writeFileSync(old, '#!/bin/sh\necho "bwrap: Unknown option --disable-userns" >&2; exit 1\n');
    chmodSync(old, 0o755);
    await assert.rejects(createSandbox({ path: '', bubblewrap: old }), refusal(/0\.8 or newer/));
  });

  const asRoot = isRoot ? test : unused;
  const asOrdinaryUser = isRoot ? unused : test;

  asRoot(
    'a container that denies mounts to root is refused with the options it needs',
    async (t) => {
      if (await isMissing(t)) return;
      const lessened = ['--bounding-set=-sys_admin', '--inh-caps=-sys_admin', '--'];
      const output = execFileSync('setpriv', [...lessened, process.execPath, TRY], {
        encoding: 'utf8',
        env: requiringNothing(),
      });
      assert.match(output, /--cap-add SYS_ADMIN/);
    },
  );

  asOrdinaryUser(
    'disabled user namespaces are refused with the sysctl that enables them',
    async (t) => {
      if (await isMissing(t)) return;
      const script = 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"';
      const inside = ['--user', '--map-root-user', 'sh', '-c', script, 'sh', process.execPath, TRY];
      const output = execFileSync('unshare', inside, {
        encoding: 'utf8',
        env: requiringNothing(),
      });
      assert.match(output, /sysctl -w user\.max_user_namespaces/);
    },
  );

  asRoot('an ordinary user gets the same advice', async (t) => {
    if (await isMissing(t)) return;
    const { code, output, passed } = await rerunAsOrdinaryUser(import.meta.filename);
    assert.equal(code, 0, output);
    assert.equal(passed, 4, output);
  });

  test('a sandbox works when its folders and Node are in a private folder', async (t) => {
    if (await isMissing(t)) return;
    using folder = tempFolder();
    const node = folder.file('node');
    copyFileSync(process.execPath, node);
    chmodSync(folder.path, 0o700);
    const cells = await createSandbox({ ...sandboxNeeds(), node });
    assert.equal(
      (await cells.verifyIsolation()).every(({ blocked }) => blocked),
      true,
    );
  });
});

/** A test that another user runs. */
function unused(_title: string, _act: (t: TestContext) => Promise<void>): void {
  return undefined;
}

async function isMissing(t: TestContext): Promise<boolean> {
  const cells = await buildOrSayWhy(KINDS.sandbox);
  if (!('missing' in cells)) return false;
  t.skip(cells.missing);
  return true;
}

function refusal(pattern: RegExp) {
  return (error: Error) => error instanceof CellRefused && pattern.test(error.message);
}
