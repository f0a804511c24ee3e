import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { z } from 'zod';
import { at, matches, type Schema } from '../../test/support/json-schema.ts';
import { sizeInTier } from '../../test/support/tier.ts';
import { openApi } from './openapi.ts';
import type { Route } from './route.ts';
import { ROUTES } from './routes.ts';
import { validate } from './validate.ts';

const DOCUMENT = openApi('1.2.3') as Schema;
const INPUTS_PER_ROUTE = sizeInTier({ test: 120, full: 1_000 });

describe('the OpenAPI document and the checks of requests', () => {
  for (const [operation, route] of Object.entries<Route>(ROUTES)) {
    if (route.body) {
      it(`the body of ${operation} is accepted by the document if and only if it passes the checks`, () => {
        const { requestBody } = described(route) as { requestBody: Schema };
        const content = requestBody['content'] as Readonly<Record<string, { schema: Schema }>>;
        const schema = content['application/json']?.schema ?? assert.fail('it has no schema');
        const examples = route.example === undefined ? [] : [route.example];
        compare(schema, route.body as z.ZodType, { operation, examples });
      });
    }
    for (const place of ['params', 'query'] as const) {
      const checks = route[place];
      if (checks === undefined) continue;
      it(`the ${place} of ${operation} are accepted by the document if and only if they pass the checks`, () => {
        compare(parametersOf(route, place), checks, { operation, examples: [], areTexts: true });
      });
    }
  }
});

function described({ path, method }: Route): Schema {
  const paths = DOCUMENT['paths'] as Readonly<Record<string, Readonly<Record<string, Schema>>>>;
  return paths[path]?.[method.toLowerCase()] ?? assert.fail(`${method} ${path}`);
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Schema;
}

function parametersOf(route: Route, place: 'params' | 'query'): Schema {
  const all = (described(route)['parameters'] ?? []) as readonly Parameter[];
  const own = all.filter((each) => each.in === (place === 'params' ? 'path' : 'query'));
  return {
    type: 'object',
    properties: Object.fromEntries(own.map(({ name, schema }) => [name, schema])),
    required: own.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

interface Compared {
  readonly operation: string;
  readonly examples: readonly unknown[];
  /** Parameters of a URL are never lists or objects. */
  readonly areTexts?: true;
}

/** Generated inputs must get the same verdict from both, and both verdicts must occur. */
function compare(
  schema: Schema,
  checks: z.ZodType,
  { operation, examples, areTexts }: Compared,
): void {
  const random = randomNumbers(operation);
  const generated = Array.from({ length: INPUTS_PER_ROUTE }, () => valueFor(schema, random)).filter(
    (input) => !areTexts || isParameter(schema, input),
  );
  const verdicts = new Set<boolean>();
  for (const input of [...examples, ...generated]) {
    const { mistakes } = validate(checks, input);
    const isAccepted = matches(schema, input, DOCUMENT);
    const text = JSON.stringify(input).slice(0, 2_000);
    assert.equal(isAccepted, mistakes === undefined, `${text}: ${JSON.stringify(mistakes)}`);
    verdicts.add(isAccepted);
  }
  assert.deepEqual([...verdicts].sort(), [false, true], 'both verdicts must occur');
}

/** How a number is spelled in a URL is not compared. */
function isParameter({ properties = {} }: Schema, input: unknown): boolean {
  const types = properties as Readonly<Record<string, Schema | undefined>>;
  return Object.entries(input ?? {}).every(([name, value]) => {
    const isNumber = /^(integer|number)$/.test(String(types[name]?.['type']));
    return typeof value !== 'object' && !(isNumber && typeof value === 'string');
  });
}

/** The same numbers at every run of a test. */
function randomNumbers(name: string): () => number {
  let state = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function pick<T>(values: readonly T[], random: () => number): T {
  return values[Math.floor(random() * values.length)] as T;
}

const TEXTS = [
  '',
  ' ',
  '\n',
  '\u00a0',
  'x',
  'dev',
  'Dev',
  'a..b',
  'dev-default',
  'a b',
  'one\ntwo',
  'bell\u0007',
  'nul\0',
  '\ud800',
  'x\udc00y',
  '😀',
  'é',
  't-12',
  't-0',
  'th-11',
  'r-40',
  'w-7',
  'ru-12',
  'ap-12',
  'T-12',
  'fix-ci',
  'fix--ci',
  'xs',
  'M',
  'huge',
  '/work',
  'work',
  '/',
  'abcdef1',
  'ABCDEF1',
  'abc',
  'https://forge.test/1',
  'http://x',
  'HTTPS://forge.test/ö',
  `https://forge.test/${'😀'.repeat(1_981)}`,
  `https://forge.test/${'😀'.repeat(1_982)}`,
  'ftp://x',
  'http:x',
  ' https://forge.test ',
  'https://',
  '2026-03-01T12:00:00Z',
  '2026-03-01T12:00:00+02:00',
  '2026-03-01T12:00:00',
  '2026-02-30T12:00:00Z',
  '2026-03-01',
  'file:../shop',
  'file:',
  'github:acme/shop',
  'shop',
  'registry.example.org',
  '*.example.org:8443',
  'example.org:',
  'available',
  'available,failed',
  'available,',
  'done',
  '0mf2k8z1q-abc',
  'approved',
  'api',
  'TaskPosted,RunEnded',
];
const NUMBERS = [0, 1, -1, 0.5, 3, 60, 61, 1e15, 1e16, 2 ** 53 - 1, 2 ** 53, 1e300];
const OTHERS = [null, true, false, [], {}, [null], { unknown: 1 }];

/** Mostly right, so that a mistake is seldom hidden by another. */
function valueFor(schema: Schema, random: () => number): unknown {
  if (random() < 0.02) return pick<unknown>([...TEXTS, ...NUMBERS, ...OTHERS], random);
  if (schema['$ref'] !== undefined) return valueFor(at(DOCUMENT, String(schema['$ref'])), random);
  const choices = (schema['anyOf'] ?? schema['oneOf']) as readonly Schema[] | undefined;
  if (choices) return valueFor(pick(choices, random), random);
  if ('const' in schema) return schema['const'];
  if (schema['enum'] !== undefined)
    return random() < 0.95 ? pick(schema['enum'] as unknown[], random) : 'other';
  switch (schema['type']) {
    case 'object':
      return objectFor(schema, random);
    case 'array':
      return listFor(schema, random);
    case 'string':
      return textFor(schema, random);
    case 'boolean':
      return random() < 0.5;
    case 'null':
      return null;
    default:
      return numberFor(schema, random);
  }
}

function objectFor(schema: Schema, random: () => number): unknown {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
  const required = (schema['required'] ?? []) as readonly string[];
  const value: Record<string, unknown> = {};
  for (const [name, part] of properties) {
    if (random() < (required.includes(name) ? 0.98 : 0.3)) value[name] = valueFor(part, random);
  }
  const others = schema['additionalProperties'];
  if (typeof others === 'object' && others !== null) {
    const count = pick([0, 1, 2, 1_000, 1_001], random);
    const fixed = valueFor(others as Schema, random);
    for (let n = 0; n < count; n += 1) value[n === 0 ? pick(TEXTS, random) : `key-${n}`] = fixed;
  } else if (random() < 0.02) value['unknown'] = 1;
  return value;
}

function listFor(schema: Schema, random: () => number): unknown {
  const most = Number(schema['maxItems'] ?? 3);
  const length = random() < 0.05 ? pick([0, most, most + 1], random) : pick([1, 2], random);
  if (length <= 2) return Array.from({ length }, () => valueFor(schema['items'] as Schema, random));
  return Array(length).fill(valueFor(schema['items'] as Schema, random));
}

function textFor(schema: Schema, random: () => number): string {
  const most = Number(schema['maxLength'] ?? 0);
  if (random() < 0.03 && most > 0 && most <= 300_000) {
    const letter = pick(['x', '😀', ' ', 'a'], random);
    return letter.repeat(most + pick([-1, 0, 1], random));
  }
  const right = TEXTS.filter((text) => matches(schema, text, DOCUMENT));
  return random() < 0.9 && right.length > 0 ? pick(right, random) : pick(TEXTS, random);
}

function numberFor({ minimum = 0, maximum = 9 }: Schema, random: () => number): number {
  const edges = [Number(minimum), Number(maximum), Number(minimum) - 1, Number(maximum) + 1];
  return random() < 0.8 ? pick(edges.slice(0, 2), random) : pick([...edges, ...NUMBERS], random);
}
