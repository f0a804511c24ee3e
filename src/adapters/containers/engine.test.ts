import assert from 'node:assert/strict';
import { chmodSync, mkdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { write } from '../../../test/support/git-fixture.ts';
import { type TempFolder, tempFolder } from '../../../test/support/temp-folder.ts';
import { CellRefused } from '../../ports/cell.ts';
import { createContainers } from './containers.ts';
import { daemonFault, findEngine, requireEngine } from './engine.ts';

const PRINTING = '#!/bin/sh\nPATH=/usr/bin:/bin env\n';
const SOCKET = 'unix:///run/user/1000/docker.sock';

describe('the daemon of Docker', () => {
  test('Docker gets the address of its daemon and nothing else of the environment', async () => {
    using folder = tempFolder();
    const path = programs(folder, ['docker']);
    const engine = findEngine({ path, dockerHost: SOCKET });
    assert.ok(engine);
    const names = (await requireEngine(engine, ['info'])).split('\n');
    assert.ok(names.includes(`DOCKER_HOST=${SOCKET}`), names.join());
    const known = /^(PATH|HOME|TMPDIR|XDG_RUNTIME_DIR|DOCKER_HOST|PWD|OLDPWD|SHLVL|_)=/;
    assert.deepEqual(
      names.filter((line) => !known.test(line)),
      [],
    );
  });

  test('Podman, which needs no daemon, comes before Docker and does not get its address', async () => {
    using folder = tempFolder();
    const path = programs(folder, ['docker', 'podman']);
    const engine = findEngine({ path, dockerHost: SOCKET });
    assert.equal(engine?.kind, 'podman');
    assert.doesNotMatch(await requireEngine(engine, ['info']), /DOCKER_HOST/);
    assert.equal(daemonFault({ ...engine, dockerHost: 'tcp://10.0.0.7:2375' }), null);
  });

  test('the reason that the daemon gives is reported, not what the command line adds', async () => {
    using folder = tempFolder();
    const says = [
      'Error response from daemon: no such runtime',
      'Error: failed to start containers: 0123',
    ];
    const script = `#!/bin/sh\nprintf '%s\\n' '${says.join("' '")}' >&2\nexit 1\n`;
    const path = programs(folder, ['docker'], script);
    const engine = findEngine({ path });
    assert.ok(engine);
    await assert.rejects(
      requireEngine(engine, ['start', '0123']),
      /start failed: Error response from daemon: no such runtime; check the engine/,
    );
  });

  test('a daemon on another machine is refused with the variable to change', async () => {
    using folder = tempFolder();
    const path = programs(folder, ['docker']);
    for (const dockerHost of ['tcp://10.0.0.7:2375', 'ssh://build@example.org']) {
      await assert.rejects(createContainers({ path, dockerHost }), (error: Error) => {
        assert.ok(error instanceof CellRefused, error.stack);
        assert.ok(error.message.startsWith(`DOCKER_HOST is ${dockerHost}, but cells need`));
        return true;
      });
    }
  });
});

/** Engines that print their environment, or do something else. */
function programs(folder: TempFolder, names: readonly string[], script = PRINTING): string {
  const bin = folder.file('bin');
  mkdirSync(bin);
  for (const name of names) {
    write(bin, { [name]: script });
    chmodSync(`${bin}/${name}`, 0o755);
  }
  return bin;
}
