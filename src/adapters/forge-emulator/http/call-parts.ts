import type { z } from 'zod';
import { resolveCommit } from '../git/read-commits.ts';
import { EmulatorRefused } from '../state/emulator-refused.ts';
import { issueNumbered } from '../state/issues.ts';
import type { Account, Issue, PullIssue, Repository } from '../state/model.ts';
import { pullNumbered } from '../state/pulls.ts';
import { type NEEDS, requireRight } from '../state/rights.ts';
import { accountCalled, repositoryCalled } from '../state/world.ts';
import type { Call } from './answer.ts';

type Need = (typeof NEEDS)[keyof typeof NEEDS];

/** The repository of the path, if the caller may do this with it. */
export function repositoryIn({ world, caller, params }: Call, need: Need): Repository {
  const repository = repositoryCalled(world, `${params['owner']}/${params['repo']}`);
  requireRight(world, { caller, repository }, need);
  return repository;
}

export function issueIn(call: Call, need: Need): Issue {
  return issueNumbered(repositoryIn(call, need), numberIn(call));
}

export function pullIn(call: Call, need: Need): PullIssue {
  return pullNumbered(repositoryIn(call, need), numberIn(call));
}

/** The commit that the path names, by branch, tag or id. */
export async function commitIn(
  call: Call,
  need: Need,
): Promise<{ repository: Repository; sha: string }> {
  const repository = repositoryIn(call, need);
  const ref = call.params['ref'] ?? call.params['sha'] ?? '';
  const sha = await resolveCommit(call.world.git, repository.dir, ref);
  if (sha === null) throw new EmulatorRefused('not_found', ref);
  return { repository, sha };
}

/** What the body says; the first thing that is wrong is named in the refusal. */
export function bodyOf<T>({ body }: Call, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  throw new EmulatorRefused('invalid', String(parsed.error.issues[0]?.path[0] ?? 'body'));
}

export function accountsIn({ world }: Call, logins: readonly string[]): Account[] {
  return logins.map((login) => accountCalled(world, login));
}

/** Not older than the time that the query names; everything where it names none. */
export function isSince({ query }: Call): (at: number) => boolean {
  const since = query.get('since');
  const from = since === null ? Number.NEGATIVE_INFINITY : Date.parse(since);
  // Times are shown without milliseconds, so a question with a shown time must find what it showed.
  return (at) => Math.floor(at / 1_000) * 1_000 >= from;
}

function numberIn({ params }: Call): number {
  return Number(params['issue_number'] ?? params['pull_number'] ?? params['index']);
}
