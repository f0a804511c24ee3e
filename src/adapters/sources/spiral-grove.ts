import type { FileProblem, SourceFile, SourceItem } from '../../domain/sources/item.ts';
import { type Head, labelledValues, MAX_LINE, parseFrontMatter } from './document-head.ts';
import { createItem, sizeIn } from './item-text.ts';
import {
  type Document,
  endOf,
  type Heading,
  linesOf,
  longLine,
  parseMarkdown,
  plainText,
} from './markdown.ts';
import { isDoneStatus, normalStatus } from './status.ts';
import { findCycle, type NamedTask, parseDependencies } from './task-dependencies.ts';

/** What a file comes to: its tasks, or every mistake in it. */
export interface ParsedFile {
  readonly file: SourceFile;
  readonly items: readonly SourceItem[];
  readonly problems: readonly FileProblem[];
}

const MAX_TASKS = 300;

/** `2026-01-31-cart-tasks.md`, `cart-tasks.md`, and the same in folders. */
export function isBreakdownFile(path: string): boolean {
  return /[^/]-tasks\.md$/i.test(path);
}

/** A breakdown file of Spiral Grove, in its present layout or the older one. */
export function parseBreakdown(path: string, text: string): ParsedFile {
  const lines = linesOf(text);
  const front = parseFrontMatter(lines);
  const document = parseMarkdown(lines, front.bodyAt);
  const head = describe(path, front, document);
  const headings = document.headings.filter((heading) => taskIn(heading) !== null);
  const reasons = mistakesInFile(path, { front, document, head });
  if (reasons.length > 0 || head.notPosted !== null) {
    return { file: head, items: [], problems: reasons };
  }
  const tasks = headings.slice(0, MAX_TASKS).map((heading) => readTask(document, heading));
  const problems = [...mistakesInList(headings), ...mistakesInTasks(tasks)];
  if (problems.length > 0) {
    return { file: head, items: [], problems: problems.map((found) => ({ file: path, ...found })) };
  }
  return {
    file: head,
    items: tasks.map((task) => itemOf(path, head, { task, tasks })),
    problems: [],
  };
}

type Mistake = Omit<FileProblem, 'file'>;

const READY = ['ready for implementation', 'in progress'];
const KEPT = ['specification', 'plan', 'version', 'created', 'last_updated', 'authored_by'];

function describe(path: string, front: Head, document: Document): SourceFile {
  const status = front.entries.get('status')?.value ?? statusBelowTitle(document, front.bodyAt);
  const isReady = status !== null && READY.includes(normalStatus(status));
  const head = Object.fromEntries(
    KEPT.flatMap((key) => {
      const entry = front.entries.get(key);
      if (!entry) return [];
      return [[key, key === 'authored_by' ? entry.list : entry.value]];
    }),
  );
  const notPosted = status === null || isReady ? null : `its status is ${status}`;
  return { path, status, notPosted, head };
}

/** Where the file has no front matter: `**Status**: Ready for Implementation` before the first task. */
function statusBelowTitle({ lines, isCode, headings }: Document, from: number): string | null {
  const end = headings.find((heading) => taskIn(heading) !== null)?.line ?? lines.length;
  for (let at = from; at < Math.min(end, from + 60); at += 1) {
    if (isCode[at]) continue;
    const found = labelledValues(lines[at] ?? '').find(({ key }) => key === 'status');
    if (found) return plainText(found.value);
  }
  return null;
}

interface ReadFile {
  readonly front: Head;
  readonly document: Document;
  readonly head: SourceFile;
}

function mistakesInFile(path: string, { front, document, head }: ReadFile): readonly FileProblem[] {
  const mistakes: Mistake[] = [];
  if (front.unclosed !== null) {
    mistakes.push({ line: front.unclosed, because: 'the front matter has no closing ---' });
  } else if (head.status === null) {
    const because = 'has no status; write status: Ready for Implementation into its front matter';
    mistakes.push({ line: 1, because });
  }
  if (document.unclosed !== null && head.notPosted === null) {
    mistakes.push({ line: document.unclosed, because: 'this code block is never closed' });
  }
  const long = longLine(document, MAX_LINE);
  if (long !== null)
    mistakes.push({ line: long, because: `is longer than ${MAX_LINE} characters` });
  return mistakes.map((mistake) => ({ file: path, ...mistake }));
}

interface TaskName {
  /** `TASK-001`, or `TASK 1` in the older layout. */
  readonly id: string;
  readonly title: string;
}

/** `TASK-001: Name`, or `Task 1: Name` in the older layout. */
function taskIn({ text }: Heading): TaskName | null {
  const plain = plainText(text).replace(/^(?:\[[ xX]\]|✅|☑️?)\s*/u, '');
  const [, dash, digits = '', rest = ''] =
    /^task(\s*-\s*|\s+)(\d{1,9})(?!\d)(.{0,2000})$/isu.exec(plain) ?? [];
  if (dash === undefined) return null;
  const title = rest.replace(/^\s*[:.)–—-]?\s*/u, '').replace(/\s*(?:✅|\[[xX]\])\s*$/u, '');
  return { id: dash.includes('-') ? `TASK-${digits}` : `TASK ${Number(digits)}`, title };
}

interface Task extends NamedTask {
  readonly title: string;
  readonly body: string;
  readonly values: ReadonlyMap<string, { readonly value: string; readonly line: number }>;
  readonly isDone: boolean;
}

function readTask(document: Document, heading: Heading): Task {
  const named = taskIn(heading) ?? { id: '', title: '' };
  const end = endOf(document, heading);
  const values = new Map<string, { readonly value: string; readonly line: number }>();
  for (let at = heading.bodyLine - 1; at < end; at += 1) {
    if (document.isCode[at]) continue;
    for (const { key, value } of labelledValues(document.lines[at] ?? '')) {
      if (KNOWN.has(key) && !values.has(key)) values.set(key, { value, line: at + 1 });
    }
  }
  const own = plainText(values.get('id')?.value ?? '');
  const id = named.id.startsWith('TASK-') || own === '' ? named.id : own;
  const written = values.get('dependencies') ?? { value: '', line: heading.line };
  return {
    id,
    title: named.title,
    names: [id, named.id],
    line: heading.line,
    body: document.lines
      .slice(heading.bodyLine - 1, end)
      .join('\n')
      .trim(),
    values,
    isDone: isDone(document, { heading, end, status: values.get('status')?.value ?? '' }),
    dependencies: written.value,
    dependenciesLine: written.line,
  };
}

const KNOWN = new Set([
  'id',
  'priority',
  'complexity',
  'dependencies',
  'category',
  'estimate',
  'status',
]);

interface Section {
  readonly heading: Heading;
  readonly end: number;
  readonly status: string;
}

/** The heading is ticked, the status says so, or every criterion of acceptance is ticked. */
function isDone({ lines, isCode }: Document, { heading, end, status }: Section): boolean {
  if (/✅|\[[xX]\]/u.test(heading.text) || isDoneStatus(plainText(status))) return true;
  let isCriteria = false;
  const boxes: boolean[] = [];
  for (let at = heading.bodyLine - 1; at < end; at += 1) {
    const line = lines[at] ?? '';
    if (isCode[at]) continue;
    const box = /^\s*[-*+]\s+\[([ xX])\]/.exec(line)?.[1];
    if (box !== undefined && isCriteria) boxes.push(box !== ' ');
    else if (/^\s*(?:#{1,6}\s|\*\*|__)/.test(line)) isCriteria = /acceptance/i.test(line);
  }
  return boxes.length > 0 && boxes.every(Boolean);
}

function mistakesInList(headings: readonly Heading[]): readonly Mistake[] {
  if (headings.length === 0) {
    return [{ line: 1, because: 'has no tasks; each needs a heading such as ### TASK-001: Name' }];
  }
  const extra = headings[MAX_TASKS];
  return extra ? [{ line: extra.line, because: `has more than ${MAX_TASKS} tasks` }] : [];
}

function mistakesInTasks(tasks: readonly Task[]): readonly Mistake[] {
  const seen = new Set<string>();
  const mistakes = tasks.flatMap((task): Mistake[] => {
    const { id, line, title, values } = task;
    const found: Mistake[] = [];
    if (seen.has(id)) found.push({ line, because: `${id} is there twice` });
    seen.add(id);
    if (title === '') found.push({ line, because: `${id} has no name` });
    const complexity = values.get('complexity');
    if (complexity && sizeIn(plainText(complexity.value)) === null) {
      const because = `the complexity of ${id} is ${plainText(complexity.value) || 'empty'}; it must be XS, S, M, L or XL`;
      found.push({ line: complexity.line, because });
    }
    const { unknown } = parseDependencies(task, tasks);
    return [
      ...found,
      ...unknown.map((name) => ({
        line: task.dependenciesLine,
        because: `${id} depends on ${name}, which is not in this file`,
      })),
    ];
  });
  if (mistakes.length > 0) return mistakes;
  const cycle = findCycle(tasks);
  return cycle
    ? [{ line: cycle.line, because: `the dependencies form a cycle: ${cycle.names.join(' → ')}` }]
    : [];
}

interface InFile {
  readonly task: Task;
  readonly tasks: readonly Task[];
}

function itemOf(path: string, head: SourceFile, { task, tasks }: InFile): SourceItem {
  const { id, line, title, body, values, isDone: done } = task;
  const written = values.get('complexity') ?? values.get('estimate');
  const { dependsOn } = parseDependencies(task, tasks);
  return createItem({
    id: `${path}#${id}`,
    file: path,
    line,
    title: `${id}: ${title}`,
    body: [body, origin(path, head)].filter((part) => part !== '').join('\n\n'),
    hashedBody: body,
    size: written ? sizeIn(plainText(written.value)) : null,
    dependsOn: dependsOn.map((name) => `${path}#${name}`),
    isDone: done,
  });
}

/** Where the agent finds the rest: the breakdown, its specification and its plan. */
function origin(path: string, { head }: SourceFile): string {
  const links = ['specification', 'plan'].flatMap((key) => {
    const value = head[key];
    return typeof value === 'string' && value !== '' ? [`${key}: ${value}`] : [];
  });
  return [`From ${path}`, ...links].join('\n');
}
