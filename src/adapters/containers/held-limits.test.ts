import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { write } from '../../../test/support/git-scene.ts';
import { type TempFolder, tempFolder } from '../../../test/support/temp-folder.ts';
import { countingIn, gapsWithout, heldLimits, split } from './held-limits.ts';
import { imageId } from './image.ts';
import type { Runtime } from './runtime.ts';

const ALL = { cpus: 2, memoryBytes: 1_024, pids: 8 };
const NONE = { cpus: null, memoryBytes: null, pids: null };

/** What an engine answers that is not on every machine; what it does then is proven where it is. */
describe('limits that a runtime says it holds', () => {
  test('Docker says so of each', async () => {
    using folder = tempFolder();
    const runtime = saying(folder, 'docker', 'echo true false true');
    assert.deepEqual(await heldLimits(runtime), ['cpus', 'pids']);
    assert.match(gapsWithout(['cpus', 'pids'], runtime).join(), /^memory is counted .* docker/);
  });

  test('Podman names the controllers it was given, and an ordinary one may have none', async () => {
    using folder = tempFolder();
    const some = saying(folder, 'podman', 'echo cpuset cpu memory pids');
    assert.deepEqual(await heldLimits(some), ['cpus', 'memoryBytes', 'pids']);
    assert.deepEqual(gapsWithout(await heldLimits(some), some), []);
    const none = saying(folder, 'podman', 'echo');
    assert.deepEqual(await heldLimits(none), []);
    assert.equal(gapsWithout([], none).length, 3);
  });

  test('what is not held is counted', () => {
    assert.deepEqual(split(ALL, ['cpus']), {
      limits: { ...NONE, cpus: 2 },
      counted: { ...ALL, cpus: null },
    });
  });

  test('a container whose processes cannot be looked at is refused, not left without limits', () => {
    const gone = 2 ** 22 + 1;
    assert.throws(
      () => countingIn(() => [], gone, ALL),
      /cannot be looked at; leave the limits out/,
    );
    assert.equal(countingIn(() => [], gone, { ...NONE, cpus: 2 })(), null);
  });
});

test('A63: an image that declares volumes is refused where Docker would make them', async () => {
  using folder = tempFolder();
  const answers = 'case "$*" in *Volumes*) echo "/data /more " ;; *) echo sha256:0123 ;; esac';
  await assert.rejects(
    imageId(saying(folder, 'docker', answers), 'worker', []),
    /the image worker declares volumes \(\/data \/more\), which docker would keep from run to run/,
  );
  assert.equal(await imageId(saying(folder, 'podman', answers), 'worker', []), 'sha256:0123');
});

function saying(folder: TempFolder, kind: Runtime['kind'], script: string): Runtime {
  write(folder.path, { engine: `${script}\n` });
  return { kind, program: '/bin/sh', options: [folder.file('engine')], path: '/usr/bin:/bin' };
}
