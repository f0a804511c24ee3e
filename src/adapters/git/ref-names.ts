import { RepositoryFailed } from '../../ports/workspace.ts';

const PART = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;
const LONGEST = 200;

/**
 * Branch names that the hall reads and writes. Narrower than git's own rule, which accepts
 * `x;touch${IFS}pwn`: no name can be an option, an expression or a path out.
 */
export function isBranchName(name: string): boolean {
  if (name.length === 0 || name.length > LONGEST || /^[0-9a-f]{40}$/.test(name)) return false;
  if (/^(HEAD|[A-Z]+_HEAD)$/.test(name)) return false;
  return name
    .split('/')
    .every(
      (part) =>
        PART.test(part) && !part.includes('..') && !part.endsWith('.') && !/\.lock$/i.test(part),
    );
}

/** The full ref name, so git never has to guess. */
export function refOf(branch: string): string {
  if (!isBranchName(branch))
    throw new RepositoryFailed(`${shown(branch)} is not a valid branch name`);
  return `refs/heads/${branch}`;
}

function isCommitName(name: string): boolean {
  return /^[0-9a-f]{40}$/.test(name);
}

export function checkedCommit(name: string): string {
  if (!isCommitName(name)) throw new RepositoryFailed(`${shown(name)} is not a commit id`);
  return name;
}

/** The hall names runs; their folders and refs use these names. */
export function checkedRun(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(name)) return name;
  throw new RepositoryFailed(`${shown(name)} is not a run id`);
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 80));
}
