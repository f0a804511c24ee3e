/**
 * Where two answers differ in what they are made of: fields, and the types of their values. A null says nothing
 * about a type, and of a list only the first element is compared.
 */
export function shapeDifferences(expected: unknown, found: unknown, place = ''): string[] {
  if (expected === null || found === null) return [];
  if (Array.isArray(expected) && Array.isArray(found)) {
    const [a, b] = [expected[0], found[0]];
    return a === undefined || b === undefined ? [] : shapeDifferences(a, b, `${place}[]`);
  }
  if (isObject(expected) && isObject(found)) {
    return [
      ...Object.keys(expected)
        .filter((key) => !(key in found))
        .map((key) => `${place}.${key} is missing`),
      ...Object.keys(found)
        .filter((key) => !(key in expected))
        .map((key) => `${place}.${key} is invented`),
      ...Object.keys(expected)
        .filter((key) => key in found)
        .flatMap((key) => shapeDifferences(expected[key], found[key], `${place}.${key}`)),
    ];
  }
  const [a, b] = [typeOf(expected), typeOf(found)];
  return a === b ? [] : [`${place} is ${b}, not ${a}`];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? 'a list' : typeof value;
}
