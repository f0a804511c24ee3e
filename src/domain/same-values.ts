/** Whether two plain values have the same content, in whatever order their keys are. */
export function haveSameValues(one: object, other: object): boolean {
  return canonical(one) === canonical(other);
}

function canonical(facts: object): string {
  return JSON.stringify(facts, (_key, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
