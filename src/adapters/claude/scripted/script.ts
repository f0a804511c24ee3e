import { z } from 'zod';

/*
 * What a script may hold. A scene is chosen by what a request shows; its steps are then played against
 * the conversation, so that the same conversation always gets the same answer.
 */

/** A scripted model: the first matching scene answers. */
export interface Script {
  readonly scenes: readonly ScriptScene[];
}

export interface ScriptScene {
  readonly name: string;
  readonly when: SceneCondition;
  /** Values for `{{name}}`: patterns to find in the system prompt, the prompts and the results. */
  readonly find: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

export type SceneCondition = z.output<typeof SceneCondition>;

/** One step of a scene. A model turn extends to a `use` or an `end`. */
export type Step =
  | { readonly is: 'say'; readonly text: string }
  | { readonly is: 'think'; readonly text: string }
  | { readonly is: 'use'; readonly uses: readonly Use[] }
  | { readonly is: 'wait'; readonly ms: number }
  | { readonly is: 'pace'; readonly ms: number }
  | { readonly is: 'usage'; readonly usage: z.output<typeof Usage> }
  | { readonly is: 'fail'; readonly failure: Failure }
  | { readonly is: 'drop'; readonly after: number; readonly times: number }
  | { readonly is: 'expect'; readonly pattern: string }
  | {
      readonly is: 'branch';
      readonly pattern: string;
      readonly steps: readonly Step[];
      readonly otherwise: readonly Step[];
    }
  | { readonly is: 'repeat'; readonly times: number; readonly steps: readonly Step[] }
  | { readonly is: 'end'; readonly because: EndReason };

export type Use = z.output<typeof Use>;
export type Failure = z.output<typeof Failure>;
export type EndReason = z.output<typeof EndReason>;

const text = z.string().max(1_000_000);
const pattern = z.string().refine(isPattern, 'is not a regular expression');
const times = z.union([z.int().min(1), z.literal('always')]).transform(countOf);

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };
const DURATION = /^(\d{1,6})(ms|s|m)$/;
const duration = z
  .string('must be a duration such as 200ms, 3s or 1m')
  .regex(DURATION, 'must be a duration such as 200ms, 3s or 1m')
  .transform(milliseconds);

const Use = z.strictObject({
  tool: z.string().min(1),
  input: z.record(z.string(), z.unknown()).default({}),
});

const Failure = z.strictObject({
  status: z.int().min(400).max(599),
  type: z.string().optional(),
  message: z.string().default('failed by the script'),
  headers: z.record(z.string(), z.string()).default({}),
  times: times.prefault(1),
});

const Usage = z.strictObject({
  input: z.int().min(0).optional(),
  output: z.int().min(0).optional(),
  cache_read: z.int().min(0).optional(),
  cache_write: z.int().min(0).optional(),
});

const EndReason = z.enum(['end_turn', 'max_tokens', 'refusal']);

/** All of them must occur. */
const marks = z.union([text, z.array(text).min(1)]);

const SceneCondition = z.strictObject({
  system: marks.optional(),
  first: marks.optional(),
  prompt: marks.optional(),
  model: text.optional(),
  /** Model responses before the latest prompt. */
  turns: z
    .union([
      z.int().min(0),
      z.strictObject({ at_least: z.int().optional(), at_most: z.int().optional() }),
    ])
    .optional(),
});

/** Every kind of step by the key that names it. */
const STEPS: Readonly<Record<string, z.ZodType<Step>>> = {
  say: z.strictObject({ say: text }).transform(({ say }) => ({ is: 'say', text: say })),
  think: z.strictObject({ think: text }).transform(({ think }) => ({ is: 'think', text: think })),
  use: z
    .strictObject({ use: z.union([Use, z.array(Use).min(1)]) })
    .transform(({ use }) => ({ is: 'use', uses: Array.isArray(use) ? use : [use] })),
  wait: z.strictObject({ wait: duration }).transform(({ wait }) => ({ is: 'wait', ms: wait })),
  pace: z.strictObject({ pace: duration }).transform(({ pace }) => ({ is: 'pace', ms: pace })),
  usage: z.strictObject({ usage: Usage }).transform(({ usage }) => ({ is: 'usage', usage })),
  fail: z.strictObject({ fail: Failure }).transform(({ fail }) => ({ is: 'fail', failure: fail })),
  overloaded: z
    .strictObject({ overloaded: z.strictObject({ times: times.prefault(1) }).prefault({}) })
    .transform(({ overloaded }) => ({ is: 'fail', failure: { ...OVERLOADED, ...overloaded } })),
  drop: z
    .strictObject({
      drop: z.strictObject({ after: z.int().min(0).default(0), times: times.prefault(1) }),
    })
    .transform(({ drop }) => ({ is: 'drop', ...drop })),
  expect_result: z
    .strictObject({ expect_result: pattern })
    .transform(({ expect_result }) => ({ is: 'expect', pattern: expect_result })),
  when_result_matches: z
    .strictObject({
      when_result_matches: pattern,
      steps: z.lazy(() => Steps),
      otherwise: z.lazy(() => Steps).prefault([]),
    })
    .transform(({ when_result_matches, steps, otherwise }) => ({
      is: 'branch',
      pattern: when_result_matches,
      steps,
      otherwise,
    })),
  repeat: z
    .strictObject({ repeat: z.int().min(1).max(1_000), steps: z.lazy(() => Steps) })
    .transform(({ repeat, steps }) => ({ is: 'repeat', times: repeat, steps })),
  end: z.strictObject({ end: EndReason }).transform(({ end }) => ({ is: 'end', because: end })),
};

const OVERLOADED = { status: 529, type: 'overloaded_error', message: 'Overloaded', headers: {} };

const Step: z.ZodType<Step> = z.unknown().transform((raw, context): Step => {
  if (raw === 'end') return { is: 'end', because: 'end_turn' };
  const kind = kindOf(raw);
  const schema = kind === undefined ? undefined : STEPS[kind];
  const parsed = schema?.safeParse(raw);
  if (parsed?.success) return parsed.data;
  for (const { path, message } of parsed?.error.issues ?? [{ path: [], message: NO_STEP }]) {
    context.issues.push({ code: 'custom', path: [...path], message, input: raw });
  }
  return z.NEVER;
});

const Steps = z.array(Step);

const NO_STEP = `is not a step; the steps are ${Object.keys(STEPS).join(', ')}`;

/** The first key that names a kind of step decides; `steps` and `otherwise` name none. */
function kindOf(raw: unknown): string | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined;
  return Object.keys(STEPS).find((name) => name in raw);
}

export const Script: z.ZodType<Script> = z.strictObject({
  scenes: z
    .array(
      z.strictObject({
        name: z.string().min(1),
        when: SceneCondition.prefault({}),
        find: z.record(z.string().regex(/^\w+$/, 'must be one word'), pattern).default({}),
        steps: Steps,
      }),
    )
    .min(1, 'must contain at least one scene'),
});

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'm') instanceof RegExp;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function countOf(value: number | 'always'): number {
  return value === 'always' ? Number.POSITIVE_INFINITY : value;
}

function milliseconds(value: string): number {
  const [, count, unit] = DURATION.exec(value) ?? [];
  return Number(count) * (UNITS[unit ?? ''] ?? 1);
}
