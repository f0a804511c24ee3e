import { checksAreDue, checksAreRed } from '../domain/checking/status.ts';
import { shownReview } from '../domain/forge/shown-review.ts';
import type { ThreadId } from '../domain/ids.ts';
import type { ProjectSettings } from '../domain/project.ts';
import { standingObjections } from '../domain/review-verdict.ts';
import { knownPullRequest, type Thread, type Verdict, type Written } from '../domain/thread.ts';
import type { Forge } from '../ports/forge.ts';
import type { Hall } from './hall.ts';

interface ReviewedPull {
  readonly thread: Thread;
  readonly forge: Forge;
  readonly path: string;
  readonly settings: ProjectSettings;
}

interface Needs {
  readonly hall: Hall;
  readonly redact: (text: string) => string;
}

/** Shows the verdict of an agent on the forge: one review with all its comments. */
export async function showReview(
  { hall, redact }: Needs,
  { thread, forge, path }: ReviewedPull,
): Promise<Written> {
  const { verdict, pr, written } = thread.forge;
  const number = knownPullRequest(pr)?.number;
  if (!verdict || verdict.type === null || pr?.state !== 'open' || number === undefined) return {};
  // A forge takes no review of a commit that is no longer in the pull request.
  if (verdict.commit !== thread.forge.head) return {};
  const review = `${verdict.by} ${verdict.commit} ${verdict.is}`;
  if (written?.review === review) return {};
  const { marker, body, comments } = shownReview(verdict, await textOf(hall, thread.id, verdict));
  await forge.submitReview({
    ...{ repo: path, number, commit: verdict.commit, is: verdict.is, marker },
    body: redact(body),
    comments: comments.map((each) => ({ ...each, body: redact(each.body) })),
  });
  return { review };
}

/** What the run that gave the verdict said. */
async function textOf({ store }: Hall, id: ThreadId, { commit, is }: Verdict): Promise<string> {
  const tasks = await store.tasksOfThread(id);
  const runs = await Promise.all(tasks.map(({ task }) => store.runsOfTask(task.id)));
  const results = runs
    .flat()
    .flatMap(({ ending }) => (ending?.how === 'completed' ? [ending.result] : []))
    .filter((result) => result.verdict === is && result.commit === commit);
  const last = results.at(-1);
  return last?.details ?? last?.summary ?? '';
}

/** Asks those who requested changes to look again once their points are addressed. */
export async function requestReviewsAgain({
  thread,
  forge,
  path,
  settings,
}: ReviewedPull): Promise<Written> {
  const { pr, head, written } = thread.forge;
  const number = knownPullRequest(pr)?.number;
  const isBusy = thread.tasks.length > 0 || checksAreDue(thread.forge, settings);
  if (pr?.state !== 'open' || number === undefined || isBusy || checksAreRed(thread.forge))
    return {};
  const before = written?.requested ?? [];
  const requested: string[] = [];
  for (const { account, commit, by } of standingObjections(thread.forge)) {
    const key = `${account} ${head}`;
    if (commit === head || before.includes(key)) continue;
    await forge.requestReview({ repo: path, number, login: by.replace(/^[^:]*:/, '') });
    requested.push(key);
  }
  if (requested.length === 0) return {};
  return { requested: [...before.filter((key) => key.endsWith(` ${head}`)), ...requested] };
}
