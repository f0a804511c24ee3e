import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { type Engine, findEngine, findProgram } from '../../src/adapters/containers/engine.ts';
import { startDockerDaemon } from './docker-daemon.ts';
import { pathWithout } from './path-without.ts';
import { tempFolder } from './temp-folder.ts';

/** An engine that has run a container. */
interface WorkingEngine {
  /** Its program. */
  readonly value: string;
  /** The variables with which the product uses it. */
  readonly more: Readonly<Record<string, string>>;
  readonly from: string;
  stop(): Promise<void>;
}

type Answer = WorkingEngine | { readonly missing: string };

/**
 * Each engine that works here, or why it does not.
 *
 * The product is not used to find out: if it can no longer build a container, its tests must fail and not be
 * skipped as on a machine without an engine.
 */
export const ENGINES = { podman: bringPodman, docker: bringDocker } as const;

async function bringPodman(): Promise<Answer> {
  const engine = findEngine({ path: ownPath() });
  if (engine?.kind !== 'podman') return { missing: 'podman is not on the PATH' };
  const fault = tryOut(engine);
  if (fault !== null) return { missing: fault };
  return { value: engine.program, more: {}, from: engine.program, stop: async () => undefined };
}

/** With the daemon of this machine, or one that is started for the run. */
async function bringDocker(): Promise<Answer> {
  // The product takes Podman where both are installed.
  const programs = pathWithout('podman', ownPath());
  const answer = await findDocker(programs.path);
  if ('missing' in answer) {
    programs[Symbol.dispose]();
    return answer;
  }
  async function stop(): Promise<void> {
    if (!('missing' in answer)) await answer.stop();
    programs[Symbol.dispose]();
  }
  return { ...answer, stop };
}

async function findDocker(path: string): Promise<Answer> {
  const dockerHost = process.env['DOCKER_HOST'];
  const engine = findEngine({ path, dockerHost });
  if (engine === undefined) return { missing: 'docker is not on the PATH' };
  const fault = tryOut(engine);
  const { program: value } = engine;
  if (fault === null) {
    const from = `${value}, with ${dockerHost ?? 'the daemon of this machine'}`;
    return { value, more: { PATH: path }, from, stop: async () => undefined };
  }
  const dockerd = findProgram('dockerd', path);
  if (dockerd === undefined || process.getuid?.() !== 0) return { missing: fault };
  const daemon = await startDockerDaemon(value, dockerd);
  if ('missing' in daemon) return { missing: `${fault}; ${daemon.missing}` };
  const ownFault = tryOut({ ...engine, dockerHost: daemon.host });
  if (ownFault === null) {
    const more = { PATH: path, DOCKER_HOST: daemon.host };
    return { value, more, from: `${value}, with a daemon started for this run`, stop: daemon.stop };
  }
  await daemon.stop();
  return { missing: ownFault };
}

/** One container that does nothing, from an image that holds nothing but links. */
function tryOut({ program, options, dockerHost }: Engine): string | null {
  using folder = tempFolder();
  const root = folder.file('root');
  mkdirSync(root);
  for (const name of ['bin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, `${root}/${name}`);
  const archive = folder.file('root.tar');
  const image = 'localhost/guildhall-trial';
  const mounts = ['--mount', 'type=bind,src=/usr,dst=/usr,readonly'];
  // By default Podman asks for more than a nested virtual machine may give.
  const modest = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024'];
  const isolated = ['--rm', '--network', 'none', ...modest, ...mounts];
  const steps = [
    ['tar', '-C', root, '-cf', archive, '.'],
    [program, ...options, 'import', archive, image],
    [program, ...options, 'run', ...isolated, image, '/bin/true'],
    [program, ...options, 'rmi', image],
  ];
  const env = { ...process.env, ...(dockerHost !== undefined && { DOCKER_HOST: dockerHost }) };
  for (const [command = '', ...rest] of steps) {
    const { status, stderr } = spawnSync(command, rest, { encoding: 'utf8', env });
    if (status !== 0) return `cannot run a container on this machine: ${lastLine(stderr ?? '')}`;
  }
  return null;
}

/** With runc, Podman also works where old and new control groups are mixed. */
const PACKAGES = { podman: 'podman runc', docker: 'docker.io' } as const;

/** From Debian's packages; null on success. It changes the machine, so only this file as a program does it. */
function install(name: keyof typeof ENGINES): string | null {
  if (process.getuid?.() !== 0) return `only root can install ${name}`;
  const command = `apt-get install --yes --no-install-recommends ${PACKAGES[name]}`;
  const script = `export DEBIAN_FRONTEND=noninteractive; ${command} || { apt-get update && ${command}; }`;
  const { status, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
  return status === 0 ? null : `${name} could not be installed: ${lastLine(stderr)}`;
}

function ownPath(): string {
  return process.env['PATH'] ?? '';
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}

/** Installs an engine if it does not work yet, and tries it. */
async function provide(name: keyof typeof ENGINES): Promise<Answer> {
  const found = await ENGINES[name]();
  if (!('missing' in found)) return found;
  const because = install(name);
  return because === null ? ENGINES[name]() : { missing: `${found.missing}; ${because}` };
}

if (import.meta.main) {
  const name = process.argv[2] === 'docker' ? 'docker' : 'podman';
  const answer = await provide(name);
  process.stdout.write(`${'missing' in answer ? answer.missing : answer.from}\n`);
  process.exitCode = 'missing' in answer ? 1 : 0;
  if (!('missing' in answer)) await answer.stop();
}
