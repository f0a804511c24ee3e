import type { Board } from '../board.ts';
import { type Decision, decide } from '../decision.ts';
import type { HallEvent } from '../event.ts';
import type { Instant } from '../ids.ts';
import { knownPullRequest, type Thread } from '../thread.ts';
import { homeOf, issueKey } from './issue-record.ts';
import { requestLook } from './look.ts';

/** What a webhook says about a repository: which threads may have changed. */
interface Hint {
  /** `github:acme/shop`. */
  readonly repo: string;
  readonly numbers: readonly number[];
  readonly commits: readonly string[];
  readonly branches: readonly string[];
  /** When the looks began that are under way, by the key of their issue. */
  readonly underWay: ReadonlyMap<string, Instant>;
}

/** Marks the threads that a delivery is about. Commits and branches that the hall does not know mark none. */
export function requestLooks(board: Board, hint: Hint, at: Instant): Decision<number> {
  const { repo, underWay } = hint;
  const named = [...hint.numbers, ...numbersBehind(board, hint)];
  const homes = named.map((number) => homeOf(board, repo, number));
  const byKey = new Map(homes.map((home) => [issueKey(home.repo, home.number), home]));
  const events: HallEvent[] = [...byKey].flatMap(
    ([key, home]) => requestLook(board, home, { at, begunAt: underWay.get(key) }).events,
  );
  return decide(events.length, events);
}

function numbersBehind(board: Board, { repo, commits, branches }: Hint): readonly number[] {
  if (commits.length === 0 && branches.length === 0) return [];
  const isMeant = ({ forge }: Thread) =>
    (forge.head !== null && commits.includes(forge.head)) ||
    (forge.branch !== null && branches.includes(forge.branch));
  return [...board.notableThreads.keys()]
    .flatMap((id) => board.threads.get(id) ?? [])
    .filter((thread) => isMeant(thread) && repoOf(board, thread) === repo)
    .flatMap(({ forge: { issue, pr } }) => {
      const number = issue?.isElsewhere ? undefined : issue?.number;
      return number ?? knownPullRequest(pr)?.number ?? [];
    });
}

function repoOf(board: Board, { project }: Thread): string | null | undefined {
  return board.projects.get(project)?.settings.repo;
}
