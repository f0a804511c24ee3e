import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import type { Cell } from '../../ports/cell.ts';
import type { HarvestPlan, NoWork, UnusableWork } from '../../ports/workspace.ts';
import { type CellScriptResult, runInCell } from './run-in-cell.ts';

/** A bundle on the host's disk, and how it was made. */
export interface Bundle {
  readonly is: 'bundle';
  readonly file: string;
  /** The agent's HEAD, according to the bundle. */
  readonly head: string;
  /** Offset of the objects in the file. */
  readonly packAt: number;
  /** Remarks for the operator about work that stopped half way. */
  readonly remarks: readonly string[];
}

interface BundleNeeds {
  readonly plan: HarvestPlan;
  /** Commits that the mirror already has. */
  readonly known: readonly string[];
  readonly file: string;
}

/** Commits leftover changes and has git inside the cell write all commits not known yet. */
export async function createBundle(
  cell: Cell,
  { plan, known, file }: BundleNeeds,
): Promise<Bundle | NoWork | UnusableWork> {
  const maxBytes = plan.bounds.bytes + OVERHEAD_BYTES;
  const fd = openSync(file, 'w', 0o600);
  let length = 0;
  const running = runInCell(cell, {
    script: SCRIPT,
    args: [plan.leftovers, ...known],
    env: identity(plan),
    seconds: SECONDS,
    onOutput(chunk) {
      length += chunk.length;
      if (length > maxBytes) return false;
      writeSync(fd, chunk);
      return true;
    },
  });
  const result = await running.finally(() => closeSync(fd));
  if (result.stoppedFor === null && result.code === NOTHING) return { is: 'nothing' };
  if (result.code !== 0 || result.stoppedFor !== null) {
    return { is: 'unusable', because: reasonOf(result, maxBytes) };
  }
  const header = headerOf(file);
  if (header === undefined) {
    return { is: 'unusable', because: 'the cell did not return a bundle of one branch' };
  }
  return { is: 'bundle', file, ...header, remarks: parseRemarks(result.stderr) };
}

/** A bundle holds commits and trees besides the files. */
const OVERHEAD_BYTES = 4 * 1024 * 1024;
const SECONDS = 600;
const NO_REPOSITORY = 41;
const NOT_COMMITTED = 42;
const NOTHING = 43;
const BROKEN_HISTORY = 44;

/** Only the bundle may go to standard output. A killed agent leaves lock files behind. */
const SCRIPT = `
set -u
hall_git() {
  git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c commit.gpgSign=false \\
    -c gc.auto=0 -c maintenance.auto=false -c core.pager=cat -c core.quotePath=false "$@"
}
message=$1
shift
rm -f .git/*.lock ".git/$(hall_git symbolic-ref --quiet HEAD).lock"
hall_git rev-parse --verify --quiet 'HEAD^{commit}' >/dev/null 2>&1 || exit ${NO_REPOSITORY}
if [ -n "$(hall_git ls-files --unmerged | head -n 1)" ]; then echo 'hall: unmerged' >&2; fi
if [ -d .git/rebase-merge ] || [ -d .git/rebase-apply ]; then echo 'hall: rebasing' >&2; fi
partly=
hall_git add --all --ignore-errors . >&2 || partly=yes
if [ -n "$partly" ]; then echo 'hall: partly' >&2; fi
if ! hall_git diff --cached --quiet --no-ext-diff >&2; then
  hall_git commit --quiet --no-verify --no-edit -m "$message" >&2 </dev/null || exit ${NOT_COMMITTED}
fi
first=$(hall_git rev-list -n 1 HEAD --not "$@") || exit ${BROKEN_HISTORY}
if [ -z "$first" ]; then
  [ -z "$partly" ] || exit ${NOT_COMMITTED}
  exit ${NOTHING}
fi
hall_git bundle create --quiet --version=2 - HEAD --not "$@"
`;

const REMARKS: Readonly<Record<string, string>> = {
  'hall: unmerged': 'conflicts were left unresolved',
  'hall: rebasing': 'the agent stopped in the middle of a rebase',
  'hall: partly': 'some uncommitted changes could not be added',
};

function parseRemarks(stderr: string): string[] {
  const lines = stderr.split('\n');
  return Object.entries(REMARKS).flatMap(([line, remark]) =>
    lines.includes(line) ? [remark] : [],
  );
}

function reasonOf({ code, stderr, stoppedFor }: CellScriptResult, maxBytes: number): string {
  if (stoppedFor === 'too_much')
    return `the work is larger than ${Math.round(maxBytes / 1024 ** 2)} MiB`;
  if (stoppedFor === 'too_long')
    return `git inside the cell did not finish within ${SECONDS / 60} minutes`;
  if (code === NO_REPOSITORY) return 'the work tree is no longer a repository with a commit';
  const what = code === NOT_COMMITTED ? 'uncommitted changes could not be committed' : 'git failed';
  return `${what} inside the cell with exit code ${code}: ${stderr.trim().slice(-400)}`;
}

function identity({ who }: HarvestPlan): Readonly<Record<string, string>> {
  return {
    GIT_AUTHOR_NAME: who.name,
    GIT_AUTHOR_EMAIL: who.email,
    GIT_COMMITTER_NAME: who.name,
    GIT_COMMITTER_EMAIL: who.email,
  };
}

/** One head, no capabilities: a filtered bundle would make git fetch the rest from elsewhere. */
function headerOf(file: string): Pick<Bundle, 'head' | 'packAt'> | undefined {
  const head = firstBytes(file, 1024 * 1024);
  const end = head.indexOf('\n\n');
  const [first, ...rest] = head.slice(0, Math.max(end, 0)).split('\n');
  const heads = rest.filter((line) => !line.startsWith('-'));
  const isValid =
    first === '# v2 git bundle' &&
    rest.every((line) => /^-?[0-9a-f]{40}( .*)?$/.test(line)) &&
    heads.length === 1 &&
    heads[0]?.slice(40) === ' HEAD';
  return isValid ? { head: heads[0]?.slice(0, 40) ?? '', packAt: end + 2 } : undefined;
}

function firstBytes(file: string, count: number): string {
  const fd = openSync(file, 'r');
  const bytes = Buffer.alloc(count);
  const length = readSync(fd, bytes, 0, count, 0);
  closeSync(fd);
  return bytes.subarray(0, length).toString('latin1');
}
