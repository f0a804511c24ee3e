import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createClaudeRunner } from '../../adapters/claude/runner.ts';
import { startScriptedModel } from '../../adapters/claude/scripted/server.ts';
import { removeAllWithPrefix } from '../../adapters/containers/sweep.ts';
import { removeFolder } from '../../adapters/git/remove-folder.ts';
import { createLog } from '../../adapters/system/log.ts';
import { type Client, createClient } from '../../api/client.ts';
import { KnownSecrets } from '../../board/known-secrets.ts';
import { loadConfig } from '../../config/load.ts';
import type { MachineVariables } from '../../config/machine-variables.ts';
import type { Isolation } from '../../domain/project.ts';
import { CellRefused } from '../../ports/cell.ts';
import { type Server, startServer } from '../server.ts';
import { createCellsOfMachine } from '../worker/cells.ts';
import { endRecruits } from './end-recruits.ts';
import type { Line } from './narrate.ts';

export interface DemoNeeds extends MachineVariables {
  /** Keep the folder with the hall's data and the repository. */
  readonly keep: boolean;
  readonly say: (line: Line) => void;
  readonly stop: AbortSignal;
}

export interface DemoEnd {
  readonly folder: string;
  readonly isolation: Isolation;
  /** Why agents ran without isolation; null when they were isolated. */
  readonly isolationRefused: string | null;
  readonly merged: number;
}

/** An optional part that the demo needs is not installed; the message ends with how to fix it. */
class DemoRefused extends Error {
  override readonly name = 'DemoRefused';
}

/** What the configuration of a demo depends on. */
export interface DemoSettings {
  readonly model: string;
  readonly isolation: string;
  readonly prefix: string;
}

interface DemoPlan {
  /** Lays out what the hall works on, and returns its configuration file. */
  readonly layOut: (folder: string, settings: DemoSettings) => string | Promise<string>;
  /** Variables of the hall in addition to those of every demo. */
  readonly environment: () => Readonly<Record<string, string>>;
  /** Plays the story; how many pull requests were merged. */
  readonly watch: (client: Client) => Promise<number>;
}

/** Starts a hall with a scripted model in a folder of its own, plays a story on it, and removes everything. */
export async function runOnDemoHall(needs: DemoNeeds, plan: DemoPlan): Promise<DemoEnd> {
  const { missing } = createClaudeRunner();
  if (missing !== null) throw new DemoRefused(missing);
  await using undo = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'guildhall-demo-'));
  if (!needs.keep) undo.defer(() => removeFolder(needs, { folder, within: tmpdir() }));
  // A unique prefix shares nothing with other halls on this machine, so the demo can remove everything at the
  // end.
  const prefix = basename(folder).toLowerCase();
  const { isolation, isolationRefused } = await findIsolation(needs, prefix);
  if (isolation === 'container') undo.defer(() => removeAllWithPrefix(needs, prefix));
  const model = await startScriptedModel({ script: readFileSync(STORY, 'utf8') });
  undo.defer(() => model.close());
  const settings = await plan.layOut(folder, { model: model.url, isolation, prefix });
  writeFileSync(join(folder, 'guildhall.yaml'), settings);
  const server = await startHall(folder, needs, plan.environment());
  undo.defer(() => endRecruits(join(folder, 'data/worker/recruits')));
  undo.defer(() => server.stop());
  const client = createClient({ url: server.url, ...(server.token && { token: server.token }) });
  const merged = await plan.watch(client);
  return { folder, isolation, isolationRefused, merged };
}

const STORY = new URL('./story.yaml', import.meta.url);

async function findIsolation(
  { path, dockerHost }: MachineVariables,
  prefix: string,
): Promise<Pick<DemoEnd, 'isolation' | 'isolationRefused'>> {
  try {
    const { kind } = await createCellsOfMachine({ path, dockerHost, prefix })(null);
    return { isolation: kind, isolationRefused: null };
  } catch (fault) {
    if (fault instanceof CellRefused) return { isolation: 'none', isolationRefused: fault.message };
    throw fault;
  }
}

function startHall(
  folder: string,
  { path, dockerHost }: MachineVariables,
  more: Readonly<Record<string, string>>,
): Promise<Server> {
  const environment = {
    PATH: path,
    DOCKER_HOST: dockerHost,
    GUILDHALL_DEMO_KEY: 'there-is-no-model-behind-this',
    ...more,
  };
  const config = loadConfig({
    config: join(folder, 'guildhall.yaml'),
    flags: { data: undefined, listen: undefined },
    environment,
    cwd: folder,
    part: 'all',
  });
  const write = (line: string) => appendFileSync(join(folder, 'hall.log'), line);
  return startServer({
    config,
    current: () => config,
    known: new KnownSecrets(),
    log: createLog({ write }, () => config.secrets.values()),
    secrets: () => config.secrets.values(),
    catalogMistakes: () => [],
    reloadConfig: async () => [],
    acceptRollback: false,
    broken: (fault) => {
      throw fault;
    },
  });
}

/** A demo cannot recover from a failure or wait for a person. */
export function throwIfStuck(facts: Readonly<Record<string, unknown>>): void {
  const handover = facts['handed_over'] as { readonly because?: string } | null | undefined;
  const failed = facts['state'] === 'failed' ? facts['summary'] : undefined;
  const because = handover ? handover.because : failed;
  if (because !== undefined) throw new Error(`the demo cannot continue: ${because}`);
}
