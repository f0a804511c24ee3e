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
import { type Line, Narrator } from './narrate.ts';
import { makeSampleRepository } from './sample.ts';

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
export class DemoRefused extends Error {
  override readonly name = 'DemoRefused';
}

const TASKS = [
  {
    ref: 'decimals',
    // The task names no agent, so Old Major chooses one.
    skill: 'triage',
    title: 'Prices always show two decimals',
    body: '500 cents are shown as €5 and 1250 as €12.5. Customers expect €5.00 and €12.50.',
  },
  {
    title: 'Show negative prices as refunds',
    body: 'price(-250) is shown as €-2.50. It should read "refund of €2.50".',
    depends_on: ['decimals'],
  },
];

/** Runs the whole story on the real product; only the model is scripted. */
export async function runDemo(needs: DemoNeeds): Promise<DemoEnd> {
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
  makeSampleRepository(folder, needs.path);
  writeFileSync(join(folder, 'guildhall.yaml'), settings({ model: model.url, isolation, prefix }));
  const server = await startHall(folder, needs);
  undo.defer(() => endRecruits(join(folder, 'data/worker/recruits')));
  undo.defer(() => server.stop());
  const client = createClient({ url: server.url, ...(server.token && { token: server.token }) });
  const merged = await watch(client, needs);
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

interface DemoSettings {
  readonly model: string;
  readonly isolation: string;
  readonly prefix: string;
}

/** Written as an operator would, as a starting point for users who keep the folder. */
function settings({ model, isolation, prefix }: DemoSettings): string {
  return `# The hall of the demo. Its model plays a script and stops with the demo.
hall: { data: ./data, listen: "127.0.0.1:0", container_prefix: ${prefix} }
types:
  boss: { git: { name: Old Major, email: old-major@guildhall.invalid }, model: claude-opus-4-7, persona: old-major }
  dev: { git: { name: Hamlet, email: hamlet@guildhall.invalid }, model: claude-sonnet-4-6, persona: hamlet }
  reviewer: { git: { name: Portia, email: portia@guildhall.invalid }, model: claude-opus-4-7, persona: portia }
invokers:
  - { handle: demo, credential: $GUILDHALL_DEMO_KEY, weekly_cap: 100, url: "${model}" }
projects:
  - name: tea-shop
    repo: file:./tea-shop.git
    isolation: ${isolation}
    checks: [{ name: tests, run: node --test }]
    merge_policy: on-approval
    approvers: [reviewer]
`;
}

function startHall(folder: string, { path, dockerHost }: MachineVariables): Promise<Server> {
  const environment = {
    PATH: path,
    DOCKER_HOST: dockerHost,
    GUILDHALL_DEMO_KEY: 'there-is-no-model-behind-this',
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

/** Posts the tasks and narrates events until both are merged. */
async function watch(client: Client, { say, stop }: DemoNeeds): Promise<number> {
  const narrator = new Narrator();
  const events = client.events({ after: 0, signal: stop });
  await client.call('postTasks', { body: TASKS.map((task) => ({ project: 'tea-shop', ...task })) });
  let merged = 0;
  for await (const event of events) {
    const line = narrator.narrate(event);
    if (line) say(line);
    if (event.type === 'PullRequestMerged') merged += 1;
    if (merged === TASKS.length) break;
    throwIfStuck(event.facts);
  }
  return merged;
}

/** A demo cannot recover from a failure or wait for a person. */
function throwIfStuck(facts: Readonly<Record<string, unknown>>): void {
  const handover = facts['handed_over'] as { readonly because?: string } | null | undefined;
  const failed = facts['state'] === 'failed' ? facts['summary'] : undefined;
  const because = handover ? handover.because : failed;
  if (because !== undefined) throw new Error(`the demo cannot continue: ${because}`);
}
