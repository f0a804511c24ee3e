import type { PersonsVerdict, ThreadOnForge, Verdict } from './thread.ts';

/**
 * The verdict that decides about the head of the branch; null when there is none. People come before
 * agents, and one person who requests changes outweighs those who approve.
 */
export function verdictOnHead(forge: ThreadOnForge): Verdict | null {
  const { head, verdict, verdicts = [] } = forge;
  const own = verdict?.type === null ? [verdict] : [];
  const people = [...verdicts, ...own].filter(({ commit }) => commit === head);
  const against = people.findLast(({ is }) => is === 'changes_requested');
  return against ?? people.at(-1) ?? (verdict?.commit === head ? verdict : null);
}

/** People whose last word was a request for changes, also on an earlier commit. */
export function standingObjections({ verdicts = [] }: ThreadOnForge): readonly PersonsVerdict[] {
  return verdicts.filter(
    ({ account, is }, at) =>
      is === 'changes_requested' &&
      !verdicts.slice(at + 1).some((later) => later.account === account),
  );
}

/** Enough for the people and rounds of one pull request. */
const MAX_REMEMBERED = 50;

/** One verdict for each person and commit: the newest. An approval of another commit says nothing about the head. */
export function afterPersonsReview(forge: ThreadOnForge, given: PersonsVerdict): ThreadOnForge {
  const others = (forge.verdicts ?? []).filter(
    ({ account, commit }) => account !== given.account || commit !== given.commit,
  );
  const after = { ...forge, verdicts: [...others, given].slice(-MAX_REMEMBERED) };
  const isRound = !isAgainst(forge) && isAgainst(after);
  return isRound ? { ...after, rounds: forge.rounds + 1 } : after;
}

/** Several people who request changes on one commit are one round. */
function isAgainst(forge: ThreadOnForge): boolean {
  return verdictOnHead(forge)?.is === 'changes_requested';
}

export function afterDismissal(forge: ThreadOnForge, account: number): ThreadOnForge {
  const { verdicts = [] } = forge;
  const left = verdicts.filter((verdict) => verdict.account !== account);
  return left.length === verdicts.length ? forge : { ...forge, verdicts: left };
}
