import { parseArgs } from 'node:util';
import { runChecks } from './support/checks.ts';
import { oldBuild } from './support/old-build.ts';
import { type Brought, neededParts, PARTS, type Part } from './support/parts.ts';
import { lineOf, summaryOf } from './support/run-report.ts';
import { leftToFull, suitesInTier } from './support/suite-tiers.ts';
import { findSuites, runSuites, type SuiteResult } from './support/suites.ts';
import { TIER_VARIABLE, tierCalled } from './support/tier.ts';

/**
 * `npm test`: everything that can be proved on this machine in a few minutes.
 *
 *   npm run test:full                 everything; the same as npm test -- --tier=full
 *   npm test -- --tier=rest           what npm test leaves to npm run test:full
 *   npm test -- <part of a path>...   only the files whose path contains one of these
 *   npm test -- --name=<regex>        only the tests whose title matches
 *   npm run test:live                 only what asks a real model, which needs GUILDHALL_LIVE_KEY
 *   GUILDHALL_REQUIRE=postgres        fail if this part could not be had
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    name: { type: 'string' },
    live: { type: 'boolean', default: false },
    tier: { type: 'string', default: 'test' },
  },
});

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => interruption.abort());
}

const old = oldBuild();
if (old) {
  console.error(old);
  process.exit(1);
}

const { live } = values;
const tier = tierCalled(values.tier);
const isPartial = live || positionals.length > 0 || values.name !== undefined;
const found = findSuites(['src/**/*.test.ts', 'test/**/*.test.ts'], positionals, { live });
const files = live ? found : suitesInTier(found, tier);
const parts = await bringParts(files);
const report = (result: SuiteResult) => console.log(lineOf(result));

try {
  const checks = isPartial || tier === 'rest' ? [] : await runChecks(report);
  const suites = await runSuites(files, {
    namePattern: values.name,
    variables: { ...parts.variables, [TIER_VARIABLE]: tier },
    signal: interruption.signal,
    report,
  });
  const results = [...checks, ...suites];
  const left = tier === 'test' && !live ? leftToFull(found) : undefined;
  const notRun = [...parts.notRun, ...(left === undefined ? [] : [left])];
  console.log(summaryOf(results, notRun).join('\n'));

  const failed = results.some(({ failures }) => failures.length > 0);
  process.exitCode = failed || parts.areWanting || results.length === 0 ? 1 : 0;
  if (interruption.signal.aborted) process.exitCode = 130;
} finally {
  for (const brought of parts.brought) await brought.stop();
}

async function bringParts(forFiles: readonly string[]) {
  const required = (process.env['GUILDHALL_REQUIRE'] ?? '').split(',').filter(Boolean);
  refuseUnknownParts(required);
  const needed = new Set([
    ...neededParts(forFiles).filter(({ isFullTier }) => tier !== 'test' || !isFullTier),
    ...PARTS.filter(({ name }) => required.includes(name)),
  ]);

  const brought: Brought[] = [];
  const variables: Record<string, string> = {};
  const missing: { part: Part; because: string }[] = [];
  for (const part of needed) {
    const answer = await bring(part);
    if ('missing' in answer) {
      missing.push({ part, because: answer.missing });
      continue;
    }
    console.log(`with ${part.name}: ${answer.from}`);
    brought.push(answer);
    variables[part.variable] = answer.value;
  }
  return {
    brought,
    variables,
    notRun: missing.map(({ part, because }) => {
      const asked = required.includes(part.name) ? ' (GUILDHALL_REQUIRE asks for it)' : '';
      return `not run: ${part.suites}, because ${because}${asked}`;
    }),
    areWanting: missing.some(({ part }) => required.includes(part.name)),
  };
}

function refuseUnknownParts(required: readonly string[]): void {
  const unknown = required.find((name) => !PARTS.some((part) => part.name === name));
  if (unknown === undefined) return;
  const known = PARTS.map(({ name }) => name).join(', ');
  throw new Error(`GUILDHALL_REQUIRE names ${unknown}; the parts are ${known}`);
}

/** A part that breaks while it is brought is missing, with its own words as the reason. */
async function bring(part: Part): Promise<Brought | { missing: string }> {
  try {
    return await part.bring();
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) };
  }
}
