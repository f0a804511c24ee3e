type JsonSchema = Readonly<Record<string, unknown>>;

/*
 * Rules between the fields of a request, in the words of JSON schemas. A field that is left out has
 * its default, which is null or empty.
 */

export function ifThenElse(
  condition: JsonSchema,
  then: JsonSchema,
  otherwise: JsonSchema,
): JsonSchema {
  return Object.fromEntries([
    ['if', condition],
    ['then', then],
    ['else', otherwise],
  ]);
}

/** The field has one of these values. */
export function isOneOf(field: string, values: readonly string[]): JsonSchema {
  return { properties: { [field]: { enum: values } }, required: [field] };
}

export function isGiven(field: string): JsonSchema {
  return { properties: { [field]: { not: { type: 'null' } } }, required: [field] };
}

export function isNull(field: string): JsonSchema {
  return { properties: { [field]: { type: 'null' } } };
}
