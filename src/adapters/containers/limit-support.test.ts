import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { write } from '../../../test/support/git-fixture.ts';
import { type TempFolder, tempFolder } from '../../../test/support/temp-folder.ts';
import { CellRefused } from '../../ports/cell.ts';
import type { Engine } from './engine.ts';
import { imageId } from './image.ts';
import { enforcedLimits, gapsFor, splitLimits, watchProcesses } from './limit-support.ts';

const ALL = { cpus: 2, memoryBytes: 1_024, pids: 8 };
const NONE = { cpus: null, memoryBytes: null, pids: null };

/** Answers of engines that are not on every machine; other suites test the engines themselves. */
describe('limits that an engine enforces', () => {
  test('Docker reports for each limit whether it is enforced', async () => {
    using folder = tempFolder();
    const info = '{"CpuCfsQuota":true,"MemoryLimit":false,"PidsLimit":true,"NCPU":2}';
    const engine = saying(folder, 'docker', `echo '${info}'`);
    assert.deepEqual(await enforcedLimits(engine), ['cpus', 'pids']);
    assert.match(gapsFor(['cpus', 'pids'], engine).join(), /^memory is counted .* docker/);
  });

  for (const { what, answer, because } of [
    { what: 'cannot be read', answer: 'no such daemon', because: /printed "no such daemon"/ },
    {
      what: 'says that it runs in rootless mode',
      answer: '{"SecurityOptions":["name=seccomp","name=rootless"]}',
      because: /rootless mode here.*install Podman/,
    },
  ]) {
    test(`a Docker whose answer ${what} is refused with the reason`, async () => {
      using folder = tempFolder();
      const engine = saying(folder, 'docker', `echo '${answer}'`);
      await assert.rejects(enforcedLimits(engine), (error: Error) => {
        assert.ok(error instanceof CellRefused, error.stack);
        assert.match(error.message, because);
        return true;
      });
    });
  }

  test('Podman reports its cgroup controllers, and may have none', async () => {
    using folder = tempFolder();
    const some = saying(folder, 'podman', 'echo cpuset cpu memory pids');
    assert.deepEqual(await enforcedLimits(some), ['cpus', 'memoryBytes', 'pids']);
    assert.deepEqual(gapsFor(await enforcedLimits(some), some), []);
    const none = saying(folder, 'podman', 'echo');
    assert.deepEqual(await enforcedLimits(none), []);
    assert.equal(gapsFor([], none).length, 3);
  });

  test('a limit that the container engine does not enforce is watched by polling', () => {
    assert.deepEqual(splitLimits(ALL, ['cpus']), {
      limits: { ...NONE, cpus: 2 },
      polled: { ...ALL, cpus: null },
    });
  });

  test('a container whose processes cannot be inspected is refused, not left without limits', () => {
    const gone = 2 ** 22 + 1;
    assert.throws(
      () => watchProcesses(() => [], gone, ALL),
      /cannot be inspected; remove the limits/,
    );
    assert.equal(watchProcesses(() => [], gone, { ...NONE, cpus: 2 })(), null);
  });
});

test('A63: an image that declares volumes is refused on Docker', async () => {
  using folder = tempFolder();
  const answers = 'case "$*" in *Volumes*) echo "/data /more " ;; *) echo sha256:0123 ;; esac';
  await assert.rejects(
    imageId(saying(folder, 'docker', answers), 'worker', []),
    /the image worker declares volumes \(\/data \/more\), which docker would keep from run to run/,
  );
  assert.equal(await imageId(saying(folder, 'podman', answers), 'worker', []), 'sha256:0123');
});

function saying(folder: TempFolder, kind: Engine['kind'], script: string): Engine {
  write(folder.path, { engine: `${script}\n` });
  return { kind, program: '/bin/sh', options: [folder.file('engine')], path: '/usr/bin:/bin' };
}
