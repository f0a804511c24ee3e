import type { FileProblem } from '../../domain/sources/item.ts';
import { type Head, labelledValues, parseFrontMatter } from './document-head.ts';
import { createItem, sizeIn } from './item-text.ts';
import { type Document, linesOf, parseMarkdown, plainText } from './markdown.ts';
import type { ParsedFile } from './spiral-grove.ts';
import { isDoneStatus, normalStatus } from './status.ts';

/** `specs/cart.md`, directly in the folder. Pages about the folder itself are no specifications. */
export function isSpecFile(path: string, folder: string): boolean {
  const inside = path.slice(folder === '' ? 0 : folder.length + 1);
  return !inside.includes('/') && !/^(?:readme|index|template|_.*|\..*)\.md$/i.test(inside);
}

/** One specification is one task: its title, and all of its text. */
export function parseSpec(path: string, text: string): ParsedFile {
  const lines = linesOf(text);
  const front = parseFrontMatter(lines);
  const document = parseMarkdown(lines, front.bodyAt);
  const facts = factsOf(front, document);
  const status = facts.get('status') ?? null;
  const isDone = status !== null && isDoneStatus(status.value);
  const notPosted =
    status === null || isDone || isReady(status.value) ? null : `its status is ${status.value}`;
  const file = { path, status: status?.value ?? null, notPosted, head: {} };
  const body = lines.slice(front.bodyAt).join('\n').trim();
  const problems = mistakesIn(path, { front, document, facts, body });
  if (problems.length > 0 || notPosted !== null) {
    return { file, items: [], problems: notPosted === null ? problems : [] };
  }
  const size = facts.get('size') ?? facts.get('complexity');
  const title = titleOf(path, front, document);
  const item = createItem({
    id: path,
    file: path,
    line: title.line,
    title: title.text,
    body: `${body}\n\nFrom ${path}`,
    hashedBody: body,
    size: size ? sizeIn(size.value) : null,
    dependsOn: dependenciesOf(path, facts.get('depends_on') ?? facts.get('dependencies')),
    isDone,
  });
  return { file, items: [item], problems: [] };
}

const READY = [
  ...['ready', 'ready for implementation', 'ready to implement', 'approved', 'accepted', 'active'],
  ...['in progress', 'todo', 'to do', 'open', 'planned', 'final', 'new'],
];

function isReady(status: string): boolean {
  return READY.includes(normalStatus(status));
}

interface Fact {
  readonly value: string;
  readonly list: readonly string[];
  readonly line: number;
}

const KEYS = ['status', 'size', 'complexity', 'depends_on', 'dependencies', 'title'];

/** Front matter first, then what stands between the title and the first section. */
function factsOf(front: Head, { lines, isCode, headings }: Document): ReadonlyMap<string, Fact> {
  const facts = new Map<string, Fact>(front.entries);
  const [title, ...others] = headings;
  const end = others.find(({ line }) => title && line > title.line)?.line ?? lines.length;
  for (let at = front.bodyAt; at < Math.min(end, front.bodyAt + 60); at += 1) {
    if (isCode[at]) continue;
    for (const { key, value } of labelledValues(lines[at] ?? '')) {
      const plain = plainText(value);
      if (!KEYS.includes(key) || facts.has(key) || plain === '') continue;
      facts.set(key, {
        value: plain,
        list: plain.split(',').map((part) => part.trim()),
        line: at + 1,
      });
    }
  }
  return facts;
}

interface ReadSpec {
  readonly front: Head;
  readonly document: Document;
  readonly facts: ReadonlyMap<string, Fact>;
  readonly body: string;
}

function mistakesIn(
  path: string,
  { front, document, facts, body }: ReadSpec,
): readonly FileProblem[] {
  const mistakes: FileProblem[] = [];
  const add = (line: number, because: string) => mistakes.push({ file: path, line, because });
  if (front.unclosed !== null) add(front.unclosed, 'the front matter has no closing ---');
  if (document.unclosed !== null) add(document.unclosed, 'this code block is never closed');
  if (body === '') add(1, 'is empty');
  for (const key of ['size', 'complexity']) {
    const fact = facts.get(key);
    if (fact && sizeIn(fact.value) === null) {
      add(fact.line, `the ${key} is ${fact.value || 'empty'}; it must be XS, S, M, L or XL`);
    }
  }
  return mistakes;
}

/** The title of the front matter, the first heading, or the name of the file. */
function titleOf(path: string, { entries }: Head, { headings }: Document) {
  const written = entries.get('title');
  if (written && written.value !== '') return { text: written.value, line: written.line };
  const top = headings.find(({ level }) => level === 1) ?? headings[0];
  const text = top ? plainText(top.text) : '';
  if (top && text !== '') return { text, line: top.line };
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '');
  return { text: name.replace(/^\d{4}-\d{2}-\d{2}-/, '').replaceAll(/[-_]+/g, ' '), line: 1 };
}

/** Other files of the folder, with or without their ending. */
function dependenciesOf(path: string, fact: Fact | undefined): readonly string[] {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const names = (fact?.list ?? [])
    .map((name) => linkTarget(name).replace(/^\.\//, ''))
    .filter((name) => name !== '' && !/^(?:none|-|–|n\/a)$/i.test(name))
    .map((name) => (name.startsWith(folder) ? name : `${folder}${name}`))
    .map((name) => (/\.md$/i.test(name) ? name : `${name}.md`));
  return [...new Set(names)].slice(0, MAX_DEPENDENCIES);
}

const MAX_DEPENDENCIES = 100;

function linkTarget(name: string): string {
  return /\]\(([^()]{1,500})\)$/.exec(name)?.[1] ?? name;
}
