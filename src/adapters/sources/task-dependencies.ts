import { plainText } from './markdown.ts';

/** A task of a file, as far as others can depend on it. */
export interface NamedTask {
  readonly id: string;
  /** Everything that others may call it. */
  readonly names: readonly string[];
  readonly line: number;
  readonly dependencies: string;
  readonly dependenciesLine: number;
}

interface Dependencies {
  readonly dependsOn: readonly string[];
  readonly unknown: readonly string[];
}

const MAX_DEPENDENCIES = 100;

/** `TASK-001, TASK-002 (schema)`, `Task 1 and Task 2`, `TASK-001 to TASK-004`, or `None`. */
export function parseDependencies(task: NamedTask, tasks: readonly NamedTask[]): Dependencies {
  const byName = new Map(
    tasks.flatMap(({ id, names }) => names.map((name) => [canonical(name), id] as const)),
  );
  const dependsOn = new Set<string>();
  const unknown: string[] = [];
  for (const name of namesIn(task.dependencies)) {
    const range = rangeIn(name);
    const found = range === null ? byName.get(canonical(name)) : undefined;
    if (range !== null) {
      for (const each of range) dependsOn.add(byName.get(each) ?? each);
    } else if (found === undefined) unknown.push(name);
    else dependsOn.add(found);
  }
  const missing = [...dependsOn].filter((id) => !byName.has(canonical(id)));
  return {
    dependsOn: [...dependsOn].filter((id) => !missing.includes(id)),
    unknown: [...unknown, ...missing],
  };
}

function namesIn(text: string): readonly string[] {
  const plain = withoutParentheses(plainText(text)).replace(/\.$/, '');
  return plain
    .split(/,|;|&|\s+and\s+|\s+und\s+/i)
    .map((name) => name.trim())
    .filter((name) => name !== '' && !NONE.has(name.toLowerCase()))
    .slice(0, MAX_DEPENDENCIES);
}

const NONE = new Set([
  'none',
  'no',
  'n/a',
  '-',
  '–',
  '—',
  'nothing',
  'keine',
  'aucune',
  'ninguna',
  'なし',
]);

function withoutParentheses(text: string): string {
  let depth = 0;
  let kept = '';
  for (const character of text.slice(0, 5_000)) {
    if (character === '(') depth += 1;
    else if (character === ')') depth = Math.max(0, depth - 1);
    else if (depth === 0) kept += character;
  }
  return kept;
}

/** Written in whatever way, `TASK-001` and `Task 1` are the same number. */
function canonical(name: string): string {
  const [, digits] = /^task[\s-]*0*(\d{1,9})$/i.exec(name.trim()) ?? [];
  return digits === undefined ? name.trim().toLowerCase() : `task ${digits}`;
}

function rangeIn(name: string): readonly string[] | null {
  const [, from, to] =
    /^task[\s-]*0*(\d{1,9})\s*(?:-|–|—|to|through|\.{2,3}|…)\s*(?:task[\s-]*)?0*(\d{1,9})$/i.exec(
      name,
    ) ?? [];
  if (from === undefined || to === undefined) return null;
  const count = Number(to) - Number(from) + 1;
  if (count < 1 || count > MAX_DEPENDENCIES) return null;
  return Array.from({ length: count }, (_, at) => `task ${Number(from) + at}`);
}

/** Tasks that wait for each other; undefined where there are none. */
export function findCycle(
  tasks: readonly NamedTask[],
): { readonly line: number; readonly names: readonly string[] } | undefined {
  const edges = new Map(tasks.map((task) => [task.id, parseDependencies(task, tasks).dependsOn]));
  const waiting = new Set(edges.keys());
  for (let isProgress = true; isProgress; ) {
    isProgress = false;
    for (const id of waiting) {
      if ((edges.get(id) ?? []).some((on) => waiting.has(on))) continue;
      waiting.delete(id);
      isProgress = true;
    }
  }
  const first = tasks.find(({ id }) => waiting.has(id));
  if (!first) return undefined;
  return { line: first.dependenciesLine, names: walk(first.id, edges, waiting) };
}

/** From a task that waits, always on to one that waits, until one comes again. */
function walk(
  first: string,
  edges: ReadonlyMap<string, readonly string[]>,
  waiting: ReadonlySet<string>,
): readonly string[] {
  const path: string[] = [];
  for (let id = first; ; ) {
    const from = path.indexOf(id);
    if (from !== -1) return [...path.slice(from), id];
    path.push(id);
    id = (edges.get(id) ?? []).find((on) => waiting.has(on)) ?? first;
  }
}
