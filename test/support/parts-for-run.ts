import { type Brought, neededParts, PARTS, type Part } from './parts.ts';
import type { Tier } from './tier-names.ts';

/** The parts of a run: the variables for its suites, and what is missing. */
export interface PartsForRun extends AsyncDisposable {
  readonly variables: Readonly<Record<string, string>>;
  /** How to run a suite: once, or once with each part of which it needs only one. */
  passesOf(files: readonly string[]): readonly Pass[];
  /** Servers that were the real thing and not an emulation. */
  readonly real: readonly string[];
  readonly notRun: readonly string[];
  /** A part is missing that GUILDHALL_REQUIRE names. */
  readonly areWanting: boolean;
}

/** One of several runs of the same suites. */
export interface Pass {
  /** As results show it. */
  readonly title?: string;
  readonly variables: Readonly<Record<string, string>>;
}

interface Alternative extends Required<Pass> {
  readonly of: string;
}

interface PartsOptions {
  readonly files: readonly string[];
  readonly tier: Tier;
  readonly required: readonly string[];
  readonly report: (line: string) => void;
}

/** Provides what the files need and what is required, and reports where each part comes from. */
export async function bringParts({
  files,
  tier,
  required,
  report,
}: PartsOptions): Promise<PartsForRun> {
  refuseUnknownParts(required);
  const needed = neededParts(files).filter(({ isFullTier }) => tier !== 'test' || !isFullTier);
  const named = PARTS.filter(({ name }) => required.includes(name));
  const brought: Brought[] = [];
  const variables: Record<string, string> = {};
  const alternatives: Alternative[] = [];
  const missing: { part: Part; because: string }[] = [];
  const real: string[] = [];
  for (const part of new Set([...needed, ...named])) {
    const answer = await bring(part);
    if ('missing' in answer) {
      missing.push({ part, because: answer.missing });
      continue;
    }
    report(`with ${part.name}: ${answer.from}`);
    brought.push(answer);
    if (part.real) real.push(`real: ${part.real}`);
    const own = { ...answer.more, [part.variable]: answer.value };
    if (part.title === undefined) Object.assign(variables, own);
    else alternatives.push({ of: part.variable, title: part.title, variables: own });
  }
  return {
    variables,
    real,
    passesOf(suites) {
      const needs = neededParts(suites).map(({ variable }) => variable);
      const passes = alternatives.filter(({ of }) => needs.includes(of));
      return passes.length > 0 ? passes : [{ variables: {} }];
    },
    notRun: missing.map(({ part, because }) => {
      const wish = required.includes(part.name) ? ' (GUILDHALL_REQUIRE names it)' : '';
      return `not run: ${part.suites}, because ${because}${wish}`;
    }),
    areWanting: missing.some(({ part }) => required.includes(part.name)),
    async [Symbol.asyncDispose]() {
      for (const each of brought) await each.stop();
    },
  };
}

function refuseUnknownParts(required: readonly string[]): void {
  const unknown = required.find((name) => !PARTS.some((part) => part.name === name));
  if (unknown === undefined) return;
  const known = PARTS.map(({ name }) => name).join(', ');
  throw new Error(`GUILDHALL_REQUIRE: there is no part ${unknown}; the parts are ${known}`);
}

/** A part that throws is missing, with its error message as the reason. */
async function bring(part: Part): Promise<Brought | { missing: string }> {
  try {
    return await part.bring();
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) };
  }
}
