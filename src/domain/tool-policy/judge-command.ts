import { type Instant, nameOf } from '../ids.ts';
import { DOUBTS, lineOf, type ParsedCommand, type Part } from '../parsed-command.ts';
import { ruleAssign, variablesSetBy } from './environment.ts';
import { judgeCall, REPOSITORY_CODE } from './judge-call.ts';
import {
  folderAt,
  isInside,
  normal,
  ruleCode,
  rulePath,
  rulePossiblePath,
  type Surroundings,
} from './paths.ts';
import {
  byProgram,
  type Facets,
  facetsOf,
  fits,
  fitsText,
  isExactly,
  isInForce,
  type Rule,
} from './rule.ts';
import { FINE, type Ruling, review, strictest, unlisted } from './ruling.ts';
import { isHarmless, tableOf } from './tables/programs.ts';
import type { GateMode, VerdictWord } from './verdict.ts';

/** The decision about a command, and what made it. */
export interface Verdict {
  readonly verdict: VerdictWord;
  readonly because: string;
  /** `ru-12` for an operator's rule, `builtin:curl` for the hall's own, `persona:ada` for a persona's list of tools. */
  readonly rule: string;
  /** The part that decided, as one line; null for the command as a whole. */
  readonly part: string | null;
}

interface ToolRequest {
  readonly command: string;
  readonly reading: ParsedCommand;
  readonly project: string;
  readonly at: Surroundings;
  /** What happens to programs and options that the tables do not list. */
  readonly gate: GateMode;
  readonly now: Instant;
}

/**
 * For every part: deny, then accept, then review; the strictest part decides for the whole. An
 * operator's deny always wins, and a project's accept does not override a built-in deny.
 */
export function judge(rules: Iterable<Rule>, request: ToolRequest): Verdict {
  const { reading, command } = request;
  if (reading.fault !== null) {
    return commandVerdict(
      'deny',
      'the command could not be parsed, so it is denied',
      'builtin:fault',
    );
  }
  if (reading.excess !== null) {
    return commandVerdict(
      'deny',
      `${reading.excess}; run it in smaller pieces or from a script in the workspace`,
      'builtin:limits',
    );
  }
  const inForce = [...rules].filter((rule) => isInForce(rule, request.project, request.now));
  const denied = inForce.find((rule) => fitsText(rule, command));
  if (denied) return commandVerdict('deny', ruleReason(denied), nameOf('rule', denied.id));
  const sides = {
    deny: byProgram(inForce.filter(({ verdict }) => verdict === 'deny')),
    accept: byProgram(inForce.filter(({ verdict }) => verdict === 'accept')),
  };
  const verdicts = reading.parts.map((part) => judgePart(part, sides, request));
  const worst = strictest([...verdicts, ...doubtsOf(reading)], ORDINARY);
  if (worst.verdict === 'accept')
    return verdicts.find(({ rule }) => rule.startsWith('ru-')) ?? worst;
  if (worst.verdict === 'deny') return worst;
  const exact = inForce.find((rule) => isExactly(rule, command));
  return exact ? commandVerdict('accept', ruleReason(exact), nameOf('rule', exact.id)) : worst;
}

const ORDINARY: Verdict = commandVerdict('accept', FINE.because, 'builtin:ordinary');

function commandVerdict(verdict: Verdict['verdict'], because: string, rule: string): Verdict {
  return { verdict, because, rule, part: null };
}

function ruleReason({ note, verdict, setBy }: Rule): string {
  const decision = verdict === 'deny' ? 'denied' : 'accepted';
  return note === '' ? `${decision} by a rule of ${setBy}` : note;
}

function doubtsOf({ doubts }: ParsedCommand): readonly Verdict[] {
  return doubts.map(({ kind, text }) => ({
    verdict: 'review',
    because: `${DOUBTS[kind]}: ${text}`,
    rule: `builtin:${kind}`,
    part: text,
  }));
}

interface Sides {
  readonly deny: (facets: Facets) => readonly Rule[];
  readonly accept: (facets: Facets) => readonly Rule[];
}

function judgePart(part: Part, rules: Sides, { at, gate }: ToolRequest): Verdict {
  const facets = facetsOf(part, at);
  const line = lineOf(part);
  const by = (rule: Rule): Verdict => ({
    verdict: rule.verdict,
    because: ruleReason(rule),
    rule: nameOf('rule', rule.id),
    part: line,
  });
  const denied = rules.deny(facets).find((rule) => fits(rule, facets));
  if (denied) return by(denied);
  const builtin = {
    ...settle(rulePart(part, at), gate),
    rule: `builtin:${nameIn(part)}`,
    part: line,
  };
  const around = { ...settle(ruleAround(part, at), gate), rule: 'builtin:environment', part: line };
  const worst = strictest([builtin, around], builtin);
  if (worst.verdict === 'deny') return worst;
  const accepted = rules.accept(facets).find((rule) => fits(rule, facets));
  return accepted ? strictest([around], by(accepted)) : worst;
}

/** What the tables do not list is bounded by the cell, where there is one. */
function settle(
  { verdict, because }: Ruling,
  gate: GateMode,
): Pick<Verdict, 'verdict' | 'because'> {
  if (verdict !== 'unlisted') return { verdict, because };
  return gate === 'strict'
    ? { verdict: 'review', because }
    : { verdict: 'accept', because: `${because}; the cell bounds it` };
}

function nameIn({ program }: Part): string {
  const name = program.slice(program.lastIndexOf('/') + 1);
  return /^([\w.+:-]{1,40}|\[)$/.test(name) ? name : 'program';
}

/** Judges the variables set for a part and the files it redirects to or from. */
function ruleAround(part: Part, at: Surroundings): Ruling {
  const variables = variablesSetBy(part);
  const where = { folders: part.folders, at };
  const files = part.redirects.flatMap(({ way, target }) => [
    ...(way === 'write' ? [] : [rulePath(target, 'read', where)]),
    ...(way === 'read' ? [] : [rulePath(target, 'write', where)]),
  ]);
  const named = variables
    .filter(({ exported }) => exported)
    .map(({ value }) => rulePossiblePath(value, where));
  const sensitive = named.filter(({ verdict }) => verdict !== 'unlisted');
  return strictest([...variables.map(ruleAssign), ...files, ...sensitive], FINE);
}

const SYSTEM_FOLDERS = /^\/(usr\/(local\/)?)?s?bin\/[^/]+$/;

function rulePart(part: Part, at: Surroundings): Ruling {
  const { program } = part;
  if (program === '' || part.defined) return FINE;
  const isPath = program.includes('/') && !SYSTEM_FOLDERS.test(program);
  if (isPath) return ruleOwnProgram(part, at);
  const table = tableOf(nameIn(part));
  if (!table) return ruleResolved(part, at);
  const ruling = judgeCall(table, callOf(part, at));
  return isHarmless(table) ? ruling : strictest([ruling, ruleFolders(part, at)], FINE);
}

function callOf(part: Part, at: Surroundings) {
  return { name: nameIn(part), argv: part.argv, part, at, tables: tableOf };
}

/** An unknown name is the repository's own program if the host found it in the workspace. */
function ruleResolved(part: Part, at: Surroundings): Ruling {
  const { program, argv, folders } = part;
  const real = at.links.get(program);
  if (real !== undefined && isInside(normal(real), at.worktree))
    return strictest([judgeCall(REPOSITORY_CODE, callOf(part, at)), ruleFolders(part, at)], FINE);
  if (!/^[\x21-\x7e]+$/.test(program)) return review(`${program} looks like another name`);
  const words = argv.map((arg) => rulePossiblePath(arg, { folders, at }));
  return strictest(
    [unlisted(`${program} is not a known program`), ...words, ruleFolders(part, at)],
    FINE,
  );
}

/** A program in the workspace is the repository's own; one from elsewhere is unknown. */
function ruleOwnProgram(part: Part, at: Surroundings): Ruling {
  const { program, folders } = part;
  const code = ruleCode({ text: program, open: null, start: program }, { folders, at });
  const table = (code === FINE ? tableOf(nameIn(part)) : undefined) ?? REPOSITORY_CODE;
  return strictest([code, judgeCall(table, callOf(part, at)), ruleFolders(part, at)], FINE);
}

function ruleFolders({ folders, program }: Part, at: Surroundings): Ruling {
  if (!folders) return review(`cannot determine which folder ${program} runs in`);
  const outside = folders
    .map((folder) => normal(folderAt(at, folder)))
    .find((folder) => !isInside(folder, at.worktree));
  return outside === undefined || program === 'cd'
    ? FINE
    : review(`${program} runs in ${outside}, outside the workspace`);
}
