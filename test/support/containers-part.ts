import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { findEngine } from '../../src/adapters/containers/engine.ts';
import { tempFolder } from './temp-folder.ts';

/**
 * The program of a container engine that works here, or why there is none.
 *
 * The product is not used to find out: if it can no longer build a container, its tests must fail and not be
 * skipped as on a machine without an engine.
 */
export function workingRuntime(path: string): { readonly program: string } | { missing: string } {
  const runtime = findEngine(path);
  if (runtime === undefined) return { missing: 'neither podman nor docker is on the PATH' };
  const fault = tryOut([runtime.program, ...runtime.options]);
  return fault === null ? { program: runtime.program } : { missing: fault };
}

/**
 * Podman from Debian's packages, with runc, which also works where old and new control groups are mixed.
 * Null on success. It changes the machine, so it is done only when this file is run as a program.
 */
function install(): string | null {
  if (process.getuid?.() !== 0) return 'only root can install Podman';
  const command = 'apt-get install --yes --no-install-recommends podman runc';
  const script = `export DEBIAN_FRONTEND=noninteractive; ${command} || { apt-get update && ${command}; }`;
  const { status, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
  return status === 0 ? null : `Podman could not be installed: ${lastLine(stderr)}`;
}

/** One container that does nothing, from an image that holds nothing but links. */
function tryOut([program = '', ...options]: readonly string[]): string | null {
  using folder = tempFolder();
  const root = folder.file('root');
  mkdirSync(root);
  for (const name of ['bin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, `${root}/${name}`);
  const archive = folder.file('root.tar');
  const image = 'localhost/guildhall-trial';
  const mounts = ['--mount', 'type=bind,src=/usr,dst=/usr,readonly'];
  // By default Podman asks for more than a nested virtual machine may give.
  const modest = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024'];
  const steps = [
    ['tar', '-C', root, '-cf', archive, '.'],
    [program, ...options, 'import', archive, image],
    [
      program,
      ...options,
      'run',
      '--rm',
      '--network',
      'none',
      ...modest,
      ...mounts,
      image,
      '/bin/true',
    ],
    [program, ...options, 'rmi', image],
  ];
  for (const [command = '', ...rest] of steps) {
    const { status, stderr } = spawnSync(command, rest, { encoding: 'utf8' });
    if (status !== 0) return `cannot run a container on this machine: ${lastLine(stderr ?? '')}`;
  }
  return null;
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}

if (import.meta.main) {
  const path = process.env['PATH'] ?? '';
  let answer = workingRuntime(path);
  if ('missing' in answer) {
    const because = install();
    answer = because === null ? workingRuntime(path) : { missing: `${answer.missing}; ${because}` };
  }
  process.stdout.write(`${'missing' in answer ? answer.missing : answer.program}\n`);
  process.exitCode = 'missing' in answer ? 1 : 0;
}
