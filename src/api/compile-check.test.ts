import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { compileCheck, UNDECIDED } from './compile-check.ts';
import type { Route } from './route.ts';
import { operationIds, ROUTES } from './routes.ts';
import { validate, validateBySchema } from './validate.ts';

/** The bodies that workers and posters send all day. */
const PLAIN = {
  claimTask: { worker: 'w-7', wait_seconds: 30 },
  reportRun: { fence: 40, outcome: 'completed', summary: 'done', next: { wait_seconds: 0 } },
  sendHeartbeat: { run: 'r-40', fence: 40 },
  postTasks: { project: 'shop', title: 'Show prices with tax', body: 'All.', labels: ['frontend'] },
} as const;

for (const [operation, body] of Object.entries(PLAIN)) {
  test(`the compiled check alone accepts the usual body of ${operation}`, () => {
    const schema = bodyOf(operation as keyof typeof PLAIN);
    const parsed = compileCheck(schema)(body);
    assert.notEqual(parsed, UNDECIDED);
    assert.deepEqual(parsed, schema.parse(body));
  });
}

test('a compiled check and its schema give the same answer to good and hostile bodies of every route', () => {
  let compared = 0;
  for (const operation of operationIds()) {
    const route: Route = ROUTES[operation];
    const plain = PLAIN[operation as keyof typeof PLAIN];
    const samples = [route.example, plain].filter((sample) => sample !== undefined);
    for (const schema of [route.body, route.query, route.params].filter((part) => part)) {
      for (const sent of [...HOSTILE, ...samples.flatMap(spoiled)]) {
        const parsed = JSON.parse(JSON.stringify(sent));
        assert.deepEqual(
          validate(schema as z.ZodType, parsed),
          validateBySchema(schema as z.ZodType, parsed),
          `${operation} with ${JSON.stringify(sent).slice(0, 200)}`,
        );
        compared += 1;
      }
    }
  }
  assert.ok(compared > 3_000, `only ${compared} bodies were compared`);
});

test('a default that is a list is not shared between two requests', () => {
  const check = compileCheck(z.strictObject({ labels: z.array(z.string()).default([]) }));
  const [one, other] = [check({}), check({})] as { labels: string[] }[];
  assert.deepEqual(one, { labels: [] });
  assert.notEqual(one?.labels, other?.labels);
});

test('what a compiled check cannot know is left to the schema', () => {
  const left: readonly (readonly [z.ZodType, unknown])[] = [
    [z.string().trim(), ' a '],
    [z.string().transform((text) => text.length), 'abc'],
    [z.coerce.number(), '12'],
    [z.iso.datetime(), '2026-03-01T12:00:00Z'],
    [z.object({ a: z.string() }), { a: 'a', b: 'stripped' }],
    [z.xor([z.string(), z.literal('a')]), 'a'],
    [z.string().superRefine((_, context) => context.addIssue('never')), 'a'],
    [z.string().regex(/a/g), 'a'],
    [z.int32(), 2 ** 40],
    [z.record(z.string(), z.string()), { a: 'b' }],
  ];
  for (const [schema, value] of left) assert.equal(compileCheck(schema)(value), UNDECIDED);
});

test('keys that every object inherits are unknown fields', () => {
  const schema = z.strictObject({ a: z.string().optional() });
  for (const text of ['{"__proto__":{"a":"b"}}', '{"constructor":1}', '{"a":"b","toString":1}']) {
    const sent = JSON.parse(text);
    assert.equal(compileCheck(schema)(sent), UNDECIDED);
    assert.equal(validate(schema, sent).mistakes?.length, 1);
  }
});

function bodyOf(operation: keyof typeof PLAIN): z.ZodType {
  return ROUTES[operation].body;
}

const HOSTILE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  1e300,
  '',
  ' ',
  'a\u0000b',
  '\ud800',
  'a\nb',
  'x'.repeat(301),
  '😀'.repeat(300),
  't-1',
  'r-0',
  'w-7 ',
  '2026-03-01T12:00:00Z',
  [],
  {},
  [null],
  ['a', 'a'],
  Array.from({ length: 101 }, () => 'a'),
  { unknown: 1 },
  JSON.parse('{"__proto__":{"fence":1}}'),
];

/** The sample with each field left out, and with each field replaced by each hostile value. */
function spoiled(sample: unknown): readonly unknown[] {
  const one = Array.isArray(sample) ? sample[0] : sample;
  if (typeof one !== 'object' || one === null) return [sample];
  const fields = Object.keys(one);
  return [
    sample,
    [one],
    { ...one, surprise: 1 },
    ...fields.map((field) => ({ ...one, [field]: undefined })),
    ...fields.flatMap((field) => HOSTILE.map((value) => ({ ...one, [field]: value }))),
    ...MORE_FIELDS.flatMap((field) => HOSTILE.map((value) => ({ ...one, [field]: value }))),
  ];
}

/** Fields that the samples leave out and some route accepts. */
const MORE_FIELDS = ['verdict', 'commit', 'rejection', 'children', 'size', 'parent', 'next', 'ref'];
