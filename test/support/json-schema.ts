/** A JSON schema, or the part of an OpenAPI document that is one. */
export type Schema = Readonly<Record<string, unknown>>;

/**
 * Whether a value matches a schema, with formats as assertions. A keyword that is not known here is a
 * fault, so that no rule of a document goes unread.
 */
export function matches(schema: Schema, value: unknown, document: Schema): boolean {
  return Object.keys(schema).every((keyword) => holds({ schema, keyword }, value, document));
}

/** Where a value breaks a schema, and which rule; nothing if it matches. */
export function mismatches(
  schema: Schema,
  value: unknown,
  document: Schema,
  place = '',
): readonly string[] {
  const inside = (part: unknown, inner: unknown, at: string) =>
    mismatches(part as Schema, inner, document, at);
  return Object.entries(schema).flatMap(([keyword, rule]) => {
    if (holds({ schema, keyword }, value, document)) return [];
    if (keyword === '$ref') return inside(at(document, String(rule)), value, place);
    if (keyword === 'allOf') return list(rule).flatMap((part) => inside(part, value, place));
    if (keyword === 'anyOf') return nearest(list(rule).map((part) => inside(part, value, place)));
    if (keyword === 'items') {
      return list(value).flatMap((each, n) => inside(rule, each, `${place}/${n}`));
    }
    if (keyword === 'properties' && isObject(value)) {
      return Object.entries(rule as Schema)
        .filter(([key]) => key in value)
        .flatMap(([key, part]) => inside(part, value[key], `${place}/${key}`));
    }
    if (keyword === 'required' && isObject(value)) {
      return list(rule)
        .filter((key) => !(String(key) in value))
        .map((key) => `${place} lacks ${key}`);
    }
    return [`${place} breaks ${keyword} ${JSON.stringify(rule).slice(0, 80)}`];
  });
}

/** Of several that would do, the one that the value comes closest to. */
function nearest(alternatives: readonly (readonly string[])[]): readonly string[] {
  return alternatives.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

function holds(
  { schema, keyword }: { readonly schema: Schema; readonly keyword: string },
  value: unknown,
  document: Schema,
): boolean {
  const rule = schema[keyword];
  const accepts = (part: unknown, inner: unknown) => matches(part as Schema, inner, document);
  if (ANNOTATIONS.has(keyword)) return true;
  if (keyword === '$ref') return accepts(at(document, String(rule)), value);
  const combined = COMBINED[keyword];
  if (combined) return combined({ schema, rule, value, accepts });
  const test = TESTS[keyword];
  if (test === undefined) throw new Error(`the keyword ${keyword} is not known`);
  return test(rule, value, { schema, accepts });
}

/** The part of a document that a reference names. */
export function at(document: Schema, ref: string): Schema {
  const steps = ref.replace(/^#\//, '').split('/');
  return steps.reduce((part: unknown, step) => (part as Schema)[step], document) as Schema;
}

const ANNOTATIONS = new Set(['$schema', 'default', 'description', 'examples', 'id', 'title']);

type Accepts = (part: unknown, inner: unknown) => boolean;

interface Combination {
  readonly schema: Schema;
  readonly rule: unknown;
  readonly value: unknown;
  readonly accepts: Accepts;
}

const COMBINED: Readonly<Record<string, (combination: Combination) => boolean>> = {
  allOf: ({ rule, value, accepts }) => list(rule).every((part) => accepts(part, value)),
  anyOf: ({ rule, value, accepts }) => list(rule).some((part) => accepts(part, value)),
  oneOf: ({ rule, value, accepts }) =>
    list(rule).filter((part) => accepts(part, value)).length === 1,
  not: ({ rule, value, accepts }) => !accepts(rule, value),
  if: ({ schema, rule, value, accepts }) =>
    accepts((accepts(rule, value) ? schema['then'] : schema['else']) ?? {}, value),
  // Read with `if`.
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON schemas.
  then: () => true,
  else: () => true,
};

type Test = (
  rule: unknown,
  value: unknown,
  more: { readonly schema: Schema; readonly accepts: Accepts },
) => boolean;

const TESTS: Readonly<Record<string, Test>> = {
  type: (rule, value) => [rule].flat().some((kind) => isOf(String(kind), value)),
  enum: (rule, value) => list(rule).includes(value),
  const: (rule, value) => rule === value,
  minLength: (rule, value) => typeof value !== 'string' || [...value].length >= Number(rule),
  maxLength: (rule, value) => typeof value !== 'string' || [...value].length <= Number(rule),
  pattern: (rule, value) => typeof value !== 'string' || new RegExp(String(rule), 'u').test(value),
  format: (rule, value) => typeof value !== 'string' || isFormatted(String(rule), value),
  minimum: (rule, value) => typeof value !== 'number' || value >= Number(rule),
  maximum: (rule, value) => typeof value !== 'number' || value <= Number(rule),
  minItems: (rule, value) => !Array.isArray(value) || value.length >= Number(rule),
  maxItems: (rule, value) => !Array.isArray(value) || value.length <= Number(rule),
  items: (rule, value, { accepts }) =>
    !Array.isArray(value) || value.every((each) => accepts(rule, each)),
  required: (rule, value) => !isObject(value) || list(rule).every((key) => String(key) in value),
  maxProperties: (rule, value) => !isObject(value) || Object.keys(value).length <= Number(rule),
  properties: (rule, value, { accepts }) =>
    !isObject(value) ||
    Object.entries(rule as Schema).every(
      ([key, part]) => !(key in value) || accepts(part, value[key]),
    ),
  propertyNames: (rule, value, { accepts }) =>
    !isObject(value) || Object.keys(value).every((key) => accepts(rule, key)),
  additionalProperties: (rule, value, { schema, accepts }) => {
    if (!isObject(value)) return true;
    const known = Object.keys((schema['properties'] ?? {}) as Schema);
    const others = Object.keys(value).filter((key) => !known.includes(key));
    return rule === false ? others.length === 0 : others.every((key) => accepts(rule, value[key]));
  },
};

function list(rule: unknown): readonly unknown[] {
  return rule as readonly unknown[];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isOf(kind: string, value: unknown): boolean {
  switch (kind) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === kind;
  }
}

function isFormatted(format: string, value: string): boolean {
  if (format === 'uri') return URL.canParse(value);
  if (format === 'date-time') return !Number.isNaN(Date.parse(value));
  throw new Error(`the format ${format} is not known`);
}
