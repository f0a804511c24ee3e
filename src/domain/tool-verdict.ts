/** A rule lets a command run or forbids it; only the hall itself sends one to a person. */
export const RULE_VERDICTS = ['accept', 'deny'] as const;
export type RuleVerdict = (typeof RULE_VERDICTS)[number];

export const VERDICTS = [...RULE_VERDICTS, 'review'] as const;
export type VerdictWord = (typeof VERDICTS)[number];

/** Who decided about a call of a tool; `answer` is an approval that is used, `limit` one too many. */
export const DECIDERS = ['rule', 'person', 'timeout', 'answer', 'limit'] as const;
