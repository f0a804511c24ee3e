import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Cell } from '../../ports/cell.ts';
import type { Finding, Harvest, HarvestPlan, UnusableWork } from '../../ports/workspace.ts';
import { listCommits, readCommits } from './commits.ts';
import { type Bundle, createBundle } from './create-bundle.ts';
import { lockExclusively } from './file-lock.ts';
import { type GitFolders, runFolder } from './folders.ts';
import { inspect } from './inspect-commits.ts';
import type { MirrorRepository } from './mirror.ts';
import { importObjects, makeQuarantine, type Quarantine, REWRITTEN_REF } from './quarantine.ts';
import { tipOf } from './read-mirror.ts';
import { checkedCommit } from './ref-names.ts';
import { rewriteCommits } from './rewrite-commits.ts';
import { type Git, wasStoppedByLimit } from './run-git.ts';
import { readRecord, writeRecord } from './run-record.ts';
import { expansionOf } from './tree-size.ts';

interface HarvestNeeds {
  readonly git: Git;
  readonly path: string;
  readonly folders: GitFolders;
  readonly secrets: () => readonly string[];
  readonly gnupgHome: string | null;
}

/** Idempotent: a second harvest of the same work gives the same answer, even after a kill in between. */
export async function harvest(
  needs: HarvestNeeds,
  mirror: MirrorRepository,
  { cell, plan }: { readonly cell: Cell; readonly plan: HarvestPlan },
): Promise<Harvest> {
  checkedCommit(plan.base);
  const folder = runFolder(needs.folders, plan.run);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  using lock = await lockExclusively(needs, join(folder, 'lock'));
  const known = await knownCommits(needs.git, mirror, plan.base);
  const file = join(folder, 'bundle');
  const bundle = await createBundle(cell, { plan, known, file });
  const head = bundle.is === 'bundle' ? bundle.head : null;
  const previous = readRecord(folder);
  const digest = planDigest(plan);
  if (head !== null && previous?.head === head && previous.asked === digest)
    return previous.harvest;

  const quarantine = { git: needs.git, dir: quarantineIn(folder), lock };
  if (previous === undefined) await makeQuarantine(quarantine, mirror.dir);
  const result =
    bundle.is === 'bundle'
      ? await inspectBundle({ ...needs, quarantine }, bundle, { plan, known })
      : bundle;
  rmSync(file, { force: true });
  const fate = result.is === 'nothing' ? 'nothing' : 'open';
  await writeRecord(folder, {
    mirror: mirror.dir,
    head,
    asked: digest,
    harvest: result,
    fate,
    at: Date.now(),
  });
  return result;
}

export function quarantineIn(folder: string): string {
  return join(folder, 'quarantine.git');
}

const MAX_COMMITS = 500;
const MAX_ENTRIES = 1_000_000;
const DEEPEST = 500;

/** The commits the thread began with, and those merged since. */
async function knownCommits(git: Git, mirror: MirrorRepository, base: string): Promise<string[]> {
  const tip = await tipOf({ git, dir: mirror.dir }, mirror.defaultBranch);
  return tip === null || tip === base ? [base] : [base, tip];
}

function planDigest({ who, trailers, signingKey, base, bounds, scope }: HarvestPlan): string {
  const fields = JSON.stringify([who, trailers, signingKey, base, bounds, scope]);
  return createHash('sha256').update(fields).digest('hex');
}

interface InspectionNeeds extends HarvestNeeds {
  readonly quarantine: Quarantine;
}

interface HarvestRequest {
  readonly plan: HarvestPlan;
  readonly known: readonly string[];
}

/** A limit that the host's git hits is the agent's fault. */
async function inspectBundle(
  needs: InspectionNeeds,
  bundle: Bundle,
  request: HarvestRequest,
): Promise<Harvest> {
  try {
    return await inspectObjects(needs, bundle, request);
  } catch (error) {
    if (wasStoppedByLimit(error)) return unusable(`it is too large to inspect: ${error.message}`);
    throw error;
  }
}

async function inspectObjects(
  needs: InspectionNeeds,
  bundle: Bundle,
  request: HarvestRequest,
): Promise<Harvest> {
  const { quarantine } = needs;
  const refused = await importObjects(quarantine, bundle, request.known);
  if (refused) return refused;
  const names = await listCommits(quarantine, bundle.head, { ...request, most: MAX_COMMITS });
  if (names.length > MAX_COMMITS) return unusable(`it has more than ${MAX_COMMITS} commits`);
  const commits = await readCommits(quarantine, names);
  if (commits.some(({ parents }) => parents.length === 0)) {
    return unusable('its history does not begin at the base commit of the task');
  }
  const range = { head: bundle.head, known: request.known };
  const roots = commits.map(({ tree }) => tree);
  const { entries, depth } = await expansionOf(quarantine, roots, range);
  if (entries > MAX_ENTRIES) return unusable(`its trees expand to ${entries} files`);
  if (depth > DEEPEST) return unusable(`its folders are nested ${depth} deep`);
  const [base] = await readCommits(quarantine, [request.plan.base]);
  if (!base) throw new Error(`${request.plan.base} is not in the mirror`);
  const rewriting = { git: quarantine.git, dir: quarantine.dir, gnupgHome: needs.gnupgHome };
  const rewritten = await rewriteCommits(rewriting, commits, { ...request.plan, base });
  return await assess(needs, { rewritten, remarks: bundle.remarks }, request);
}

async function assess(
  needs: InspectionNeeds,
  { rewritten, remarks }: { readonly rewritten: string; readonly remarks: readonly string[] },
  { plan, known }: HarvestRequest,
): Promise<Harvest> {
  const { git, dir, lock } = needs.quarantine;
  const repository = { git, dir, secrets: needs.secrets() };
  const names = await listCommits(repository, rewritten, { known, most: MAX_COMMITS });
  const commits = await readCommits(repository, names);
  const from = await comparisonBase(repository, rewritten, { plan, known });
  const { files, findings } = await inspect(repository, {
    ...plan,
    scope: plan.scope,
    from,
    to: rewritten,
    commits,
  });
  if (names.length === 0 || files.length === 0) return { is: 'nothing' };
  await git.run({
    dir,
    lock,
    doing: 'storing the rewritten commits',
    args: ['update-ref', REWRITTEN_REF, rewritten],
  });
  const { run, base } = plan;
  const all = [...remarks.map(unfinished), ...findings];
  return { is: 'work', run, base, commit: rewritten, commits: names.length, files, findings: all };
}

/**
 * Compares work that continues from its base with that base. Where the agent took in what others
 * merged, only the commits above that are its own.
 */
async function comparisonBase(
  { git, dir }: { readonly git: Git; readonly dir: string },
  rewritten: string,
  { plan, known }: HarvestRequest,
): Promise<string> {
  const doing = 'finding where the work starts';
  const stdin = `${[rewritten, ...known.map((each) => `^${each}`)].join('\n')}\n`;
  const listed = await git.text({ dir, doing, stdin, args: ['rev-list', '--boundary', '--stdin'] });
  const edges = listed.split('\n').filter((line) => line.startsWith('-'));
  if (edges.every((line) => line === `-${plan.base}`)) return plan.base;
  const defaultTip = known.at(-1) ?? plan.base;
  const { code, stdout } = await git.exec({
    dir,
    doing,
    args: ['merge-base', rewritten, defaultTip],
  });
  return code === 0 ? stdout.toString('utf8').trim() : plan.base;
}

function unfinished(because: string): Finding {
  return { kind: 'unfinished', path: '', because, blocks: true };
}

function unusable(because: string): UnusableWork {
  return { is: 'unusable', because };
}
