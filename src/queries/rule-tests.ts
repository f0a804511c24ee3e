import { shownCommand } from '../api/shown-command.ts';
import type { CreateRule, RuleTestResult, TestRules } from '../api/tools.ts';
import type { Hall } from '../board/hall.ts';
import { readBoard } from '../board/read-board.ts';
import type { RuleDraft } from '../domain/edit-rules.ts';
import type { RuleId } from '../domain/ids.ts';
import { DOUBTS } from '../domain/parsed-command.ts';
import { type Refusal, refuse } from '../domain/refusal.ts';
import { commandTree } from '../domain/tool-policy/command-tree.ts';
import { gateModeOf } from '../domain/tool-policy/gate-mode.ts';
import { judge } from '../domain/tool-policy/judge-command.ts';
import type { Surroundings } from '../domain/tool-policy/paths.ts';
import {
  facetsOf,
  fits,
  fitsText,
  isExactly,
  type Match,
  matchMistakes,
  type Rule,
} from '../domain/tool-policy/rule.ts';
import type { Shell } from '../ports/shell.ts';
import type { ToolDecision } from '../ports/store.ts';
import { decisionView } from './views/tool.ts';

/** How many logged decisions a test checks, newest first. */
const MAX_LOOKED_AT = 2_000;
const MAX_SHOWN = 50;

/** A dry run: judges a command and lists what a rule would have matched. */
export async function testRules(
  { hall, shell }: { readonly hall: Hall; readonly shell: Shell },
  request: TestRules,
): Promise<RuleTestResult | Refusal> {
  const trial = request.rule && trialRule(request.rule, hall.clock.now());
  const mistakes = trial ? matchMistakes(trial.match) : [];
  const [first] = mistakes;
  if (first) return refuse('invalid', `rule.${first.path} ${first.message}`, mistakes);
  const at = {
    cwd: request.cwd,
    worktree: request.worktree,
    links: new Map(Object.entries(request.links)),
  };
  const reading = request.command === undefined ? undefined : shell.read(request.command);
  const command = request.command ?? '';
  const project = request.project ?? request.rule?.project ?? '';
  const verdict =
    reading &&
    (await readBoard(hall, (board) => {
      const rules = trial ? [...board.rules.values(), trial] : board.rules.values();
      const settings = board.projects.get(project)?.settings;
      const gate = settings ? gateModeOf(settings, IN_A_CELL) : 'strict';
      return judge(rules, { command, reading, project, at, gate, now: hall.clock.now() });
    }));
  return {
    verdict: verdict
      ? {
          ...verdict,
          because: shownCommand(verdict.because),
          rule: verdict.rule === TRIAL ? 'this rule' : verdict.rule,
        }
      : null,
    tree: reading ? commandTree(reading).map(shownCommand) : [],
    doubts: (reading?.doubts ?? []).map(({ kind, text }) =>
      shownCommand(`${DOUBTS[kind]}: ${text}`),
    ),
    matched: trial ? await matchedBy({ hall, shell }, trial, request) : null,
  };
}

/** A dry run assumes a worker with a cell; the project may still say that there is none. */
const IN_A_CELL = { kind: 'sandbox', gaps: [] } as const;

const TRIAL_ID = Number.MAX_SAFE_INTEGER as RuleId;
const TRIAL = `ru-${TRIAL_ID}`;

function trialRule(draft: CreateRule, now: number): Rule {
  return { ...ruleFrom(draft), id: TRIAL_ID, setAt: now, setBy: 'a dry run' };
}

export function ruleFrom({ verdict, project, match, expires, note }: CreateRule): RuleDraft {
  return {
    scope: project,
    verdict,
    match: matchIn(match),
    expires: expires === null ? null : Date.parse(expires),
    note,
  };
}

function matchIn({ program, command, flags, path }: CreateRule['match']): Match {
  return {
    ...(program !== undefined && { program }),
    ...(command !== undefined && { command }),
    ...(flags !== undefined && { flags }),
    ...(path !== undefined && { path }),
  };
}

async function matchedBy(
  { hall, shell }: { readonly hall: Hall; readonly shell: Shell },
  rule: Rule,
  { since, project }: TestRules,
) {
  const { rows } = await hall.store.decisions({
    limit: MAX_LOOKED_AT,
    ...(since !== undefined && { since: Date.parse(since) }),
    ...((rule.scope ?? project) !== undefined && { project: rule.scope ?? project ?? '' }),
  });
  const matched = rows.filter((decision) => fitsDecision(shell, rule, decision));
  return {
    examined: rows.length,
    count: matched.length,
    decisions: matched.slice(0, MAX_SHOWN).map(decisionView),
  };
}

/** The log stores neither links nor the root, so paths are taken as written. */
function fitsDecision(shell: Shell, rule: Rule, { command, cwd }: ToolDecision): boolean {
  if (fitsText(rule, command) || isExactly(rule, command)) return true;
  const at: Surroundings = { cwd, worktree: cwd, links: new Map() };
  return shell.read(command).parts.some((part) => fits(rule, facetsOf(part, at)));
}
