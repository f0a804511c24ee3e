import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Cell } from '../../ports/cell.ts';
import type { Finding, Harvest, Harvesting, Spoilt } from '../../ports/workspace.ts';
import { listCommits, readCommits } from './commits.ts';
import { expansionOf } from './expansion.ts';
import { lockAlone } from './file-lock.ts';
import { inspect } from './inspect.ts';
import type { MirrorPlace } from './mirror.ts';
import { commitOf } from './names.ts';
import { type Places, runFolder } from './places.ts';
import { MADE_REF, makeQuarantine, type Quarantine, takeObjects } from './quarantine.ts';
import { tipOf } from './read-mirror.ts';
import { remake } from './remake.ts';
import { type Git, wasBounded } from './run-git.ts';
import { readRecord, writeRecord } from './run-record.ts';
import { type Bundle, takeBundle } from './take-bundle.ts';

interface HarvestNeeds {
  readonly git: Git;
  readonly path: string;
  readonly places: Places;
  readonly secrets: () => readonly string[];
  readonly gnupgHome: string | null;
}

/** Asked twice for the same work it answers the same, also after it was killed in between. */
export async function harvest(
  needs: HarvestNeeds,
  mirror: MirrorPlace,
  { cell, plan }: { readonly cell: Cell; readonly plan: Harvesting },
): Promise<Harvest> {
  commitOf(plan.base);
  const folder = runFolder(needs.places, plan.run);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  using lock = await lockAlone(needs, join(folder, 'lock'));
  const known = await knownCommits(needs.git, mirror, plan.base);
  const file = join(folder, 'bundle');
  const taken = await takeBundle(cell, { plan, known, file });
  const head = taken.is === 'bundle' ? taken.head : null;
  const before = readRecord(folder);
  const asked = digestOf(plan);
  if (head !== null && before?.head === head && before.asked === asked) return before.harvest;

  const quarantine = { git: needs.git, dir: quarantineIn(folder), lock };
  if (before === undefined) await makeQuarantine(quarantine, mirror.dir);
  const found =
    taken.is === 'bundle' ? await look({ ...needs, quarantine }, taken, { plan, known }) : taken;
  rmSync(file, { force: true });
  const fate = found.is === 'nothing' ? 'nothing' : 'open';
  writeRecord(folder, { mirror: mirror.dir, head, asked, harvest: found, fate, at: Date.now() });
  return found;
}

export function quarantineIn(folder: string): string {
  return join(folder, 'quarantine.git');
}

const MOST_COMMITS = 500;
const MOST_ENTRIES = 1_000_000;
const DEEPEST = 500;

/** What the thread began with, and what others have landed since. */
async function knownCommits(git: Git, mirror: MirrorPlace, base: string): Promise<string[]> {
  const tip = await tipOf({ git, dir: mirror.dir }, mirror.defaultBranch);
  return tip === null || tip === base ? [base] : [base, tip];
}

function digestOf({ who, trailers, signingKey, base, bounds, scope }: Harvesting): string {
  const asked = JSON.stringify([who, trailers, signingKey, base, bounds, scope]);
  return createHash('sha256').update(asked).digest('hex');
}

interface Looking extends HarvestNeeds {
  readonly quarantine: Quarantine;
}

interface Asked {
  readonly plan: Harvesting;
  readonly known: readonly string[];
}

/** What reaches a bound of the host's git is the agent's doing. */
async function look(needs: Looking, bundle: Bundle, asked: Asked): Promise<Harvest> {
  try {
    return await lookThrough(needs, bundle, asked);
  } catch (error) {
    if (wasBounded(error)) return spoilt(`it is too much to be looked at: ${error.message}`);
    throw error;
  }
}

async function lookThrough(needs: Looking, bundle: Bundle, asked: Asked): Promise<Harvest> {
  const { quarantine } = needs;
  const refused = await takeObjects(quarantine, bundle, asked.known);
  if (refused) return refused;
  const names = await listCommits(quarantine, bundle.head, { ...asked, most: MOST_COMMITS });
  if (names.length > MOST_COMMITS) return spoilt(`it is more than ${MOST_COMMITS} commits`);
  const commits = await readCommits(quarantine, names);
  if (commits.some(({ parents }) => parents.length === 0)) {
    return spoilt('its history does not begin where the work began');
  }
  const range = { head: bundle.head, known: asked.known };
  const roots = commits.map(({ tree }) => tree);
  const { entries, depth } = await expansionOf(quarantine, roots, range);
  if (entries > MOST_ENTRIES) return spoilt(`its trees stand for ${entries} files`);
  if (depth > DEEPEST) return spoilt(`its folders are ${depth} deep`);
  const [base] = await readCommits(quarantine, [asked.plan.base]);
  if (!base) throw new Error(`${asked.plan.base} is not in its mirror`);
  const remaking = { git: quarantine.git, dir: quarantine.dir, gnupgHome: needs.gnupgHome };
  const made = await remake(remaking, commits, { ...asked.plan, base });
  return await judge(needs, { made, remarks: bundle.remarks }, asked);
}

async function judge(
  needs: Looking,
  { made, remarks }: { readonly made: string; readonly remarks: readonly string[] },
  { plan, known }: Asked,
): Promise<Harvest> {
  const { git, dir, lock } = needs.quarantine;
  const here = { git, dir, secrets: needs.secrets() };
  const names = await listCommits(here, made, { known, most: MOST_COMMITS });
  const commits = await readCommits(here, names);
  const from = await startOf(here, made, { plan, known });
  const { files, findings } = await inspect(here, {
    ...plan,
    scope: plan.scope,
    from,
    made,
    commits,
  });
  if (names.length === 0 || files.length === 0) return { is: 'nothing' };
  await git.run({
    dir,
    lock,
    doing: 'keeping what was made',
    args: ['update-ref', MADE_REF, made],
  });
  const { run, base } = plan;
  const all = [...remarks.map(unfinished), ...findings];
  return { is: 'work', run, base, commit: made, commits: names.length, files, findings: all };
}

/**
 * Work that goes on from its base is compared with it. Where the agent took in what others landed,
 * only what lies above that is its own.
 */
async function startOf(
  { git, dir }: { readonly git: Git; readonly dir: string },
  made: string,
  { plan, known }: Asked,
): Promise<string> {
  const doing = 'finding where the work begins';
  const stdin = `${[made, ...known.map((each) => `^${each}`)].join('\n')}\n`;
  const listed = await git.text({ dir, doing, stdin, args: ['rev-list', '--boundary', '--stdin'] });
  const edges = listed.split('\n').filter((line) => line.startsWith('-'));
  if (edges.every((line) => line === `-${plan.base}`)) return plan.base;
  const landed = known.at(-1) ?? plan.base;
  const { code, out } = await git.ask({ dir, doing, args: ['merge-base', made, landed] });
  return code === 0 ? out.toString('utf8').trim() : plan.base;
}

function unfinished(because: string): Finding {
  return { kind: 'unfinished', path: '', because, blocks: true };
}

function spoilt(because: string): Spoilt {
  return { is: 'spoilt', because };
}
