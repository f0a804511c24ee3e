/** A rule accepts or denies a command; only the hall itself asks for a review. */
export const RULE_VERDICTS = ['accept', 'deny'] as const;
export type RuleVerdict = (typeof RULE_VERDICTS)[number];

export const VERDICTS = [...RULE_VERDICTS, 'review'] as const;
export type VerdictWord = (typeof VERDICTS)[number];

/** Who decided about a tool call: `answer` is a used approval, `limit` means too many requests. */
export const DECIDERS = ['rule', 'person', 'timeout', 'answer', 'limit'] as const;

/**
 * What the gate does with programs and options that its tables do not list: `sandboxed` accepts them
 * because the cell bounds them, `strict` asks a person.
 */
export const GATE_MODES = ['sandboxed', 'strict'] as const;
export type GateMode = (typeof GATE_MODES)[number];
