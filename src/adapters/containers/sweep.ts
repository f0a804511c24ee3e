import { CellRefused } from '../../ports/cell.ts';
import { lockName } from './container-names.ts';
import { LABEL } from './create-options.ts';
import { type Engine, type EngineLocation, findEngine, runEngine } from './engine.ts';
import { ownerOf } from './owner.ts';

/** The same for a process without containers of its own; returns the names of those it removed. */
export async function sweepContainers(location: EngineLocation): Promise<readonly string[]> {
  const engine = findEngine(location);
  return engine === undefined ? [] : removeAbandoned(engine);
}

/**
 * Removes the containers of dead workers. Nothing runs in them: each ended with its worker. A container
 * whose name is locked, or whose owner runs or cannot be inspected from here, belongs to a live worker.
 */
export async function removeAbandoned(engine: Engine): Promise<readonly string[]> {
  const filter = ['--filter', `label=${LABEL}`];
  const format = ['--no-trunc', '--format', '{{.ID}} {{.Names}}'];
  const { code, stdout } = await runEngine(engine, ['ps', '--all', ...filter, ...format]);
  if (code !== 0) return [];
  const removed: string[] = [];
  for (const line of stdout.split('\n')) {
    const [id = '', name = ''] = line.split(' ');
    if (!isContainerId(id) || name === '') continue;
    using lock = await lockName(name);
    if (lock === undefined || (await ownerOf(engine, id)) !== 'gone') continue;
    if (await tryRemove(engine, id)) removed.push(name);
  }
  return removed;
}

/** Removes the container with a name that this process holds, if there is one. */
export async function removeContainer(engine: Engine, name: string): Promise<void> {
  const id = await containerId(engine, name);
  if (id !== undefined) await tryRemove(engine, id);
}

/** The id of our container with this name; undefined when there is none. */
export async function containerId(engine: Engine, name: string): Promise<string | undefined> {
  const format = ['--format', '{{.Id}} {{json .Config.Labels}}'];
  const { code, stdout } = await runEngine(engine, ['container', 'inspect', ...format, name]);
  const [, id = '', labels = ''] = /^(\S+) (.*)$/.exec(stdout) ?? [];
  if (code !== 0 || !isContainerId(id)) return undefined;
  if (labels.includes(`"${LABEL}":`)) return id;
  throw new CellRefused(
    `a container named ${name} already exists and was not created for a cell; ` +
      'rename it, or set another hall.container_prefix',
  );
}

/**
 * By id and never by name: the engine carries out a command even if its caller was killed, and another
 * worker may have the name by then.
 */
async function tryRemove(engine: Engine, id: string): Promise<boolean> {
  const now = engine.kind === 'podman' ? ['--time', '0'] : [];
  const { code } = await runEngine(engine, ['rm', '--force', ...now, id]);
  return code === 0;
}

/** An engine may print anything. */
export function isContainerId(text: string): boolean {
  return /^[0-9a-f]{12,64}$/.test(text);
}

/** Removes everything under a prefix, for a caller that made the prefix and is done with it. */
export async function removeAllWithPrefix(location: EngineLocation, prefix: string): Promise<void> {
  const engine = findEngine(location);
  if (engine === undefined) return;
  const named = async (list: readonly string[]) => {
    const { stdout } = await runEngine(engine, list);
    return stdout.split('\n').filter((name) => name.startsWith(`${prefix}-`));
  };
  const ours = ['ps', '--all', '--filter', `label=${LABEL}`, '--format', '{{.Names}}'];
  for (const name of await named(ours)) await removeContainer(engine, name);
  const volumes = await named(['volume', 'ls', '--quiet']);
  if (volumes.length > 0) await runEngine(engine, ['volume', 'rm', ...volumes]);
}
