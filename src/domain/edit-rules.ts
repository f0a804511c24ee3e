import type { Board } from './board.ts';
import { type Decision, decide, type Now, refuseWith } from './decision.ts';
import { nameOf, type RuleId } from './ids.ts';
import { refuse } from './refusal.ts';
import { matchMistakes, type Rule } from './tool-policy/rule.ts';

export type RuleDraft = Pick<Rule, 'scope' | 'verdict' | 'match' | 'expires' | 'note'>;

/** More would slow down every tool call of every agent. */
const MAX_RULES = 5_000;

export function setRule(board: Board, draft: RuleDraft, now: Now): Decision<Rule> {
  const mistakes = matchMistakes(draft.match);
  if (mistakes.length > 0) {
    const [first] = mistakes;
    return refuseWith(refuse('invalid', `${first?.path} ${first?.message}`, mistakes));
  }
  if (draft.scope !== null && !board.projects.has(draft.scope)) {
    return refuseWith(refuse('unknown_project', `there is no project ${draft.scope}`));
  }
  if (board.rules.size >= MAX_RULES) {
    return refuseWith(refuse('too_many_rules', `the limit of ${MAX_RULES} rules is reached`));
  }
  const rule: Rule = { ...draft, id: (board.seq + 1) as RuleId, setAt: now.at, setBy: now.actor };
  return decide(rule, [{ type: 'RuleSet', rule }]);
}

export function removeRule(board: Board, id: RuleId): Decision<RuleId> {
  if (!board.rules.has(id))
    return refuseWith(refuse('unknown_rule', `there is no rule ${nameOf('rule', id)}`));
  return decide(id, [{ type: 'RuleRemoved', rule: id }]);
}
