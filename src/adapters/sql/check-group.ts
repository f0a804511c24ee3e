import type { Group } from '../../ports/store.ts';

/** What is wrong with a group, as text, before any database sees it. */
export function faultInGroup(group: Group): string | undefined {
  const { after, events, rows, log, decisions, secrets } = group;
  for (const [n, { seq }] of events.entries()) {
    const expected = after.seq + n + 1;
    if (seq !== expected) return `expected event ${expected}, got event ${seq}`;
  }
  return (
    twiceIn(rows.map(({ table, key }) => `${table} ${key}`)) ??
    twiceIn(log.map(({ run, n }) => `entry ${n} of run ${run}`)) ??
    twiceIn(decisions.map(({ id }) => `decision ${id}`)) ??
    twiceIn(secrets.map(({ name }) => `secret ${name}`))
  );
}

function twiceIn(names: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) return `it contains ${name} twice`;
    seen.add(name);
  }
  return undefined;
}
