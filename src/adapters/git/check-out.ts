import type { Cell } from '../../ports/cell.ts';
import { type CheckoutPlan, type Identity, RepositoryFailed } from '../../ports/workspace.ts';
import { checkedCommit, refOf } from './ref-names.ts';
import { runInCell } from './run-in-cell.ts';

/** A second branch for the agent to compare with. */
interface Base {
  readonly branch: string;
  readonly commit: string;
}

/** Creates the agent's own git directory with the git of the cell. The mirror lends its objects. */
export async function checkOut(cell: Cell, plan: CheckoutPlan, base: Base | null): Promise<void> {
  const result = await runInCell(cell, {
    script: SCRIPT,
    args: [
      plan.objects,
      settings(plan.who),
      refOf(plan.branch),
      checkedCommit(plan.commit),
      ...(base && base.branch !== plan.branch
        ? [refOf(base.branch), checkedCommit(base.commit)]
        : []),
    ],
    seconds: 1800,
  });
  if (result.code === 0) return;
  throw new RepositoryFailed(
    `checking out ${plan.commit} as ${plan.branch} in a cell failed with exit code ${result.code}: ${result.stderr.trim().slice(-600)}`,
  );
}

const SCRIPT = `
set -eu
git init --quiet --template= .
printf '%s\\n' "$1" > .git/objects/info/alternates
printf '%s' "$2" > .git/config
git symbolic-ref HEAD "$3"
git update-ref "$3" "$4"
if [ $# -gt 4 ]; then git update-ref "$5" "$6"; fi
git reset --quiet --hard
`;

/** No remotes, no hooks, no background work. Two checkout workers were no faster than one. */
function settings({ name, email }: Identity): string {
  return `[core]
	repositoryformatversion = 0
	bare = false
	filemode = true
	logallrefupdates = true
	hooksPath = /dev/null
	fsmonitor = false
[user]
	name = ${quoted(name)}
	email = ${quoted(email)}
[gc]
	auto = 0
[maintenance]
	auto = false
[commit]
	gpgSign = false
[submodule]
	recurse = false
[advice]
	detachedHead = false
`;
}

function quoted(text: string): string {
  return `"${text.replace(/\p{Cc}/gu, ' ').replace(/[\\"]/g, '\\$&')}"`;
}
