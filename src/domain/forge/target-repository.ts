import type { Board } from '../board.ts';
import type { Project } from '../project.ts';
import { repositoryOn } from './connected-forges.ts';
import { issueForm } from './issue-form.ts';
import type { LookResult } from './look-result.ts';
import { mayTrigger, neededText, teamsFor } from './rights.ts';
import type { Account } from './snapshot.ts';

/** Another repository of the same forge that the issue asks to work in. */
interface Target {
  /** `owner/name`. */
  readonly path: string;
  /** Undefined where no project of the hall has it. */
  readonly project: Project | undefined;
}

export function targetOf(
  board: Board,
  { repo, snapshot }: Pick<LookResult, 'repo' | 'snapshot'>,
): Target | null {
  const { target } = issueForm(snapshot.issue?.body ?? '');
  const home = repositoryOn(repo);
  if (target === null || !home || target.toLowerCase() === home.path.toLowerCase()) return null;
  const name = `${home.forge}:${target}`.toLowerCase();
  const project = [...board.projects.values()].find(
    ({ settings }) => settings.repo?.toLowerCase() === name,
  );
  return { path: target, project };
}

interface AskedTask {
  readonly by: Account | null;
  readonly agent: string | null;
}

/** Why nothing starts there; null when it may. */
export function targetRefusal(
  board: Board,
  { targetRights }: LookResult,
  { target, task }: { readonly target: Target; readonly task: AskedTask },
): string | null {
  const { path, project } = target;
  const { by, agent } = task;
  const shown = path.replaceAll('`', "'").replaceAll('@', '@\u200b').slice(0, 200);
  if (!project)
    return `\`${shown}\` is not the repository of a project of this hall. Nothing was started.`;
  const teams = teamsFor(board, agent);
  if (targetRights && mayTrigger(targetRights, by, teams)) return null;
  const who = by ? `@${by.login}` : 'Whoever asked';
  return `${who} may not start an agent in \`${shown}\`: that needs ${neededText(teams)} there too. Nothing was started.`;
}
