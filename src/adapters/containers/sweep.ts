import { lockName } from './names.ts';
import { LABEL } from './options.ts';
import { ask, findRuntime, type Runtime } from './runtime.ts';

/** The same for whoever has no containers of its own; answers with the names of those it removed. */
export async function sweepContainers(path: string): Promise<readonly string[]> {
  const runtime = findRuntime(path);
  return runtime === undefined ? [] : removeAbandoned(runtime);
}

/**
 * Removes the containers of workers that are gone. Nothing runs in them: each ended with its worker. One
 * whose name somebody holds belongs to a worker that lives.
 */
export async function removeAbandoned(runtime: Runtime): Promise<readonly string[]> {
  const filter = ['--filter', `label=${LABEL}`];
  const { code, out } = await ask(runtime, ['ps', '--all', ...filter, '--format', '{{.Names}}']);
  if (code !== 0) return [];
  const removed: string[] = [];
  for (const name of out.split('\n').filter((each) => each !== '')) {
    using lock = await lockName(name);
    if (lock === undefined) continue;
    if ((await removeContainer(runtime, name)).code === 0) removed.push(name);
  }
  return removed;
}

export function removeContainer(runtime: Runtime, name: string) {
  const now = runtime.kind === 'podman' ? ['--time', '0'] : [];
  return ask(runtime, ['rm', '--force', ...now, name]);
}

/** For whoever made a prefix of its own and is done with it: nothing whose name begins so is kept. */
export async function removeAllOf(path: string, prefix: string): Promise<void> {
  const runtime = findRuntime(path);
  if (runtime === undefined) return;
  const named = async (list: readonly string[]) => {
    const { out } = await ask(runtime, list);
    return out.split('\n').filter((name) => name.startsWith(`${prefix}-`));
  };
  const ours = ['ps', '--all', '--filter', `label=${LABEL}`, '--format', '{{.Names}}'];
  for (const name of await named(ours)) await removeContainer(runtime, name);
  const volumes = await named(['volume', 'ls', '--quiet']);
  if (volumes.length > 0) await ask(runtime, ['volume', 'rm', ...volumes]);
}
