import { withoutFindings } from '../review-findings.ts';
import type { Verdict } from '../thread.ts';
import type { ReviewComment } from './snapshot.ts';
import { withoutMentions } from './without-mentions.ts';

interface ShownReview {
  readonly marker: string;
  readonly body: string;
  readonly comments: readonly ReviewComment[];
}

const WORDS = { approved: 'approved', changes_requested: 'requests changes' } as const;

/** The review of an agent, for people. The forge may show it as a comment: the board counts the verdict. */
export function shownReview(verdict: Verdict, text: string): ShownReview {
  const { by, is, commit, findings = [], repeated = [] } = verdict;
  const isAgain = (path: string, said: string) =>
    repeated.some((each) => each.path === path && each.text === said);
  return {
    marker: `<!-- hall-review: ${by} ${commit} -->`,
    body: [`\`${by}\` ${WORDS[is]}.`, withoutMentions(withoutFindings(text))]
      .filter((part) => part !== '')
      .join('\n\n'),
    comments: findings.map(({ path, line, text: said }) => ({
      path,
      line,
      body: `${isAgain(path, said) ? 'Again: ' : ''}${withoutMentions(said)}`,
    })),
  };
}
