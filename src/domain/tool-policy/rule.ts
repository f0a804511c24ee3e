import type { Instant, RuleId } from '../ids.ts';
import { type Arg, lineOf, type Part } from '../parsed-command.ts';
import { compile, type Pattern, patternFault, REGEX_MARK } from '../pattern.ts';
import type { Mistake } from '../refusal.ts';
import { normal, pathWords, type Surroundings } from './paths.ts';
import type { RuleVerdict } from './verdict.ts';

/** An operator's rule about commands, in addition to the built-in ones. */
export interface Rule {
  readonly id: RuleId;
  /** The project it applies to; null for all. */
  readonly scope: string | null;
  readonly verdict: RuleVerdict;
  readonly match: Match;
  readonly expires: Instant | null;
  readonly note: string;
  readonly setAt: Instant;
  readonly setBy: string;
}

/** All given fields must match the same part of a command. Globs, or regular expressions after `re:`. */
export interface Match {
  readonly program?: string;
  readonly command?: string;
  /** Each must match one of the part's options. */
  readonly flags?: readonly string[];
  /** A deny matches if any path does; an accept only if every path does. */
  readonly path?: string;
}

export function matchMistakes(match: Match): readonly Mistake[] {
  const sources = [
    ...(['program', 'command', 'path'] as const).map((path) => [path, match[path]] as const),
    ...(match.flags ?? []).map((flag, at) => [`flags[${at}]`, flag] as const),
  ];
  const present = sources.filter(([, source]) => source !== undefined);
  if (present.length === 0) {
    return [{ path: 'match', message: 'is empty: name a program, command, flags or path' }];
  }
  return present.flatMap(([path, source]) => {
    const fault = source === '' ? 'is empty' : patternFault(source ?? '');
    return fault ? [{ path: `match.${path}`, message: fault }] : [];
  });
}

interface Compiled {
  readonly program: Pattern | undefined;
  readonly command: Pattern | undefined;
  readonly flags: readonly Pattern[];
  readonly path: Pattern | undefined;
}

/** Rules are immutable, so each is compiled once. */
const COMPILED = new WeakMap<Match, Compiled>();

function compiledOf(match: Match): Compiled {
  const known = COMPILED.get(match);
  if (known) return known;
  const { program, command, flags = [], path } = match;
  const compiled = {
    program: program === undefined ? undefined : compile(program),
    command: command === undefined ? undefined : compile(command),
    flags: flags.map(compile),
    path: path === undefined ? undefined : compile(path),
  };
  COMPILED.set(match, compiled);
  return compiled;
}

/** The forms of a part that rules are compared with, computed once for all rules. */
export interface Facets {
  readonly programs: readonly string[];
  readonly lines: readonly string[];
  readonly flags: readonly string[];
  /** Each word that may be a file, in all its forms. */
  readonly paths: readonly (readonly string[])[];
}

export function facetsOf(part: Part, at: Surroundings): Facets {
  const { program, argv, redirects, folders } = part;
  const name = program.slice(program.lastIndexOf('/') + 1);
  const plain = [name, ...argv.map(({ text }) => text)].join(' ');
  const words = [...argv.filter(isPath), ...redirects.map(({ target }) => target)];
  return {
    programs: [...new Set([name, program])],
    lines: [...new Set([lineOf({ ...part, assigns: [] }), plain])],
    flags: argv.filter(({ start }) => start.startsWith('-')).map(({ text }) => text),
    paths: words.flatMap(pathWords).map((word) => formsOf(word, folders ?? [], at)),
  };
}

function isPath({ text }: Arg): boolean {
  return !text.startsWith('-') || text.includes('=');
}

function formsOf(word: string, folders: readonly string[], at: Surroundings): readonly string[] {
  const absolute = folders.map((folder) =>
    normal(word.startsWith('/') ? word : `${at.cwd}/${folder}/${word}`),
  );
  const real = [word, ...absolute].flatMap((path) => at.links.get(path) ?? []);
  return [word, ...absolute, ...real];
}

export function fits({ verdict, match }: Pick<Rule, 'verdict' | 'match'>, facets: Facets): boolean {
  const { program, command, flags, path } = compiledOf(match);
  if (program && !facets.programs.some((name) => program.matches(name))) return false;
  if (command && !facets.lines.some((line) => command.matches(line))) return false;
  if (!flags.every((flag) => facets.flags.some((given) => flag.matches(given)))) return false;
  if (!path) return true;
  const fitsOne = (forms: readonly string[]) => forms.some((form) => path.matches(form));
  const { paths } = facets;
  return verdict === 'deny' ? paths.some(fitsOne) : paths.length > 0 && paths.every(fitsOne);
}

/** Groups rules by program: a thousand rules cost little more than those for one program. */
export function byProgram(rules: readonly Rule[]): (facets: Facets) => readonly Rule[] {
  const groups = Map.groupBy(rules, ({ match }) => match.program ?? '');
  const patterns = [...groups].filter(([source]) => !isPlain(source));
  return ({ programs }) => [
    ...programs.flatMap((name) => (isPlain(name) ? (groups.get(name) ?? []) : [])),
    ...patterns.flatMap(([, group]) => (isFor(group, programs) ? group : [])),
  ];
}

function isPlain(program: string): boolean {
  return /^[\w.+/-]+$/.test(program);
}

/** All rules of a group name the same program, so checking the first is enough. */
function isFor([rule]: readonly Rule[], programs: readonly string[]): boolean {
  const pattern = rule && compiledOf(rule.match).program;
  return !pattern || programs.some((name) => pattern.matches(name));
}

/** A deny with only a command pattern is also matched against the command as written. */
export function fitsText({ verdict, match }: Rule, command: string): boolean {
  const { command: pattern } = compiledOf(match);
  const only = match.program === undefined && match.flags === undefined && match.path === undefined;
  return verdict === 'deny' && only && (pattern?.matches(command) ?? false);
}

/** An accept for exactly this text: a person has seen all of it. */
export function isExactly({ verdict, match }: Rule, command: string): boolean {
  const { command: source, program, flags, path } = match;
  if (verdict !== 'accept' || source === undefined || source.startsWith(REGEX_MARK)) return false;
  if (program !== undefined || flags !== undefined || path !== undefined) return false;
  return source === exactGlob(command);
}

/** The glob that matches this text and no other. */
export function exactGlob(text: string): string {
  return text.replace(/[*?\\]/g, '\\$&');
}

export function isInForce(rule: Rule, project: string, at: Instant): boolean {
  if (rule.expires !== null && rule.expires <= at) return false;
  return rule.scope === null || rule.scope === project;
}
