import type { ReviewComment } from '../../domain/forge/snapshot.ts';
import type { ReviewPlan } from '../../ports/forge.ts';

interface ReviewTry {
  readonly event: string;
  readonly commit: string | null;
  readonly body: string;
  /** On lines; the others are in the text. */
  readonly comments: readonly ReviewComment[];
}

/**
 * The ways to write a review, the best first. Forges refuse a verdict on the own pull request, comments on lines
 * that did not change, and commits that are no longer in it.
 */
export function reviewTries(
  { marker, body, comments, commit }: ReviewPlan,
  verdict: string,
): readonly ReviewTry[] {
  const onLines = comments.filter(({ line }) => line !== null);
  const others = comments.filter(({ line }) => line === null);
  const textWith = (said: readonly ReviewComment[]) =>
    `${marker}\n${[body, ...said.map(asText)].join('\n\n')}`;
  const forms = [
    { commit, body: textWith(others), comments: onLines },
    ...(onLines.length > 0 ? [{ commit, body: textWith(comments), comments: [] }] : []),
  ];
  return [
    ...forms.flatMap((form) => [verdict, 'COMMENT'].map((event) => ({ event, ...form }))),
    { event: 'COMMENT', commit: null, body: textWith(comments), comments: [] },
  ];
}

function asText({ path, line, body }: ReviewComment): string {
  return `\`${path}${line === null ? '' : `:${line}`}\`: ${body}`;
}
