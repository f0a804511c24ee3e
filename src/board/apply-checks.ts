import type { Board } from '../domain/board.ts';
import { repositoryOn } from '../domain/forge/connected-forges.ts';
import { type LookResult, openThreadOf } from '../domain/forge/look-result.ts';
import type { ForgeCheck, PullSnapshot } from '../domain/forge/snapshot.ts';
import { resultOf, takeChecks } from '../domain/forge/take-checks.ts';
import type { BranchBase, Thread } from '../domain/thread.ts';
import type { Forge } from '../ports/forge.ts';
import { changeForForge } from './forge-changes.ts';
import type { Hall } from './hall.ts';

interface Checked {
  readonly forge: Forge;
  readonly path: string;
  readonly result: LookResult;
}

/** Reads the output of failed checks once for each head: it is long, and an agent gets it. */
export async function applyChecks(hall: Hall, { forge, result, ...home }: Checked): Promise<void> {
  const thread = openThreadOf(hall.board, result);
  const { pull } = result.snapshot;
  if (!thread || pull?.state !== 'open' || thread.forge.head !== pull.head) return;
  const { headAt = hall.clock.now(), checks: before } = thread.forge;
  const path = codePathOf(hall.board, thread) ?? home.path;
  const { ciWait } = (hall.board.projects.get(thread.project) ?? result.project).settings;
  const known = before?.commit === pull.head ? before : null;
  const timing = { pushedAt: headAt, ciWait, now: hall.clock.now(), rerun: known?.rerun };
  const { is } = resultOf(pull.checks, timing);
  const isRed = is === 'red';
  const isNew = isRed && known?.is !== 'red';
  const excerpt = isNew ? await outputs(forge, path, pull.checks) : '';
  const tree = isNew ? await forge.treeOf(path, pull.head) : (known?.tree ?? null);
  const base = known?.base ?? (isRed ? startOf(pull) : null);
  const isEnd = (is === 'green' || is === 'none') && (known?.is !== is || known.missing);
  const required = isEnd ? await forge.requiredChecks(path, pull.base) : [];
  const seen = { checks: pull.checks, timing, excerpt, base, tree, required };
  await changeForForge(hall, (board, now) => takeChecks(board, { result, seen }, now));
}

/** Which checks fail there is not known yet. */
function startOf({ base: branch, baseCommit: commit }: PullSnapshot): BranchBase | null {
  return commit === null ? null : { branch, commit, failing: null };
}

const MAX_OUTPUTS = 3;
const MAX_OUTPUT = 6_000;

async function outputs(forge: Forge, repo: string, checks: readonly ForgeCheck[]): Promise<string> {
  const failed = checks.filter(({ is }) => is === 'red').slice(0, MAX_OUTPUTS);
  const texts: string[] = [];
  for (const check of failed) {
    const output = await forge.outputOf(repo, check);
    texts.push(`${check.name}:\n${output.slice(-MAX_OUTPUT)}`);
  }
  return texts.join('\n\n');
}

/** Where the code of a thread is, which may be another repository than that of its issue. */
export function codePathOf(board: Board, { project }: Thread): string | undefined {
  return repositoryOn(board.projects.get(project)?.settings.repo ?? null)?.path;
}
