import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isSpecFile, parseSpec } from './spec-file.ts';

interface Expected {
  readonly title?: string;
  readonly line?: number;
  readonly size?: string | null;
  readonly dependsOn?: readonly string[];
  readonly isDone?: boolean;
  readonly notPosted?: string;
  readonly problems?: readonly string[];
}

/** Ten specifications as different people write them, and what a person takes from each. */
const SPECS: Readonly<Record<string, readonly [text: string, expected: Expected]>> = {
  'front matter with everything': [
    `---
title: "Faster search"   # shown on the board
status: Approved
size: L
depends_on: [index.md, "words.md"]
---
# Another heading

Search in 50 ms.
`,
    { title: 'Faster search', line: 2, size: 'L', dependsOn: ['specs/index.md', 'specs/words.md'] },
  ],
  'no front matter, and a title below a badge': [
    '[![build](https://ci.example/b.svg)](https://ci.example)\n\n# Export to *CSV*\n\nAll rows.\n',
    { title: 'Export to CSV', line: 3, size: null },
  ],
  'headings that are underlined': [
    'Dark mode\n=========\n\nWhy\n---\n\nEyes.\n\nHow\n---\n\nColours.\n',
    { title: 'Dark mode', line: 1 },
  ],
  'a table of facts, and an estimate': [
    '# Invoices\n\n| Field | Value |\n| --- | --- |\n| Status | Ready |\n| Size | S |\n| Owner | Ada |\n\n## Goal\n\nPDF.\n',
    { title: 'Invoices', size: 'S' },
  ],
  'bold facts and numbered headings': [
    '# 3. Two-factor login\n\n**Status:** In Progress  \n**Complexity:** Medium\n\n## 3.1 Scope\n\n## 3.2 Out of scope\n\nStatus: Draft is what the page showed before.\n',
    { title: '3. Two-factor login', size: 'M' },
  ],
  'code blocks with headings and front matter in them': [
    '# Templates\n\n```md\n---\nstatus: Draft\n---\n# Not a title\n```\n\n~~~~\n```\n# nor this\n~~~~\n\nStatus: ready\n',
    { title: 'Templates', line: 1 },
  ],
  'Windows line ends and a byte order mark': [
    '\uFEFF---\r\nstatus: ready\r\nsize: XS\r\n---\r\n\r\n# Größe ändern\r\n\r\nText.\r\n',
    { title: 'Größe ändern', line: 6, size: 'XS' },
  ],
  'Japanese, without a heading': [
    'カートを追加する。\n\n- 商品\n- 数量\n',
    { title: '日本 カート', line: 1 },
  ],
  'a checklist and nothing else': [
    '- [x] decide\n- [ ] build it\n- [ ] ship it\n',
    { title: 'launch list', line: 1 },
  ],
  'links as dependencies, in a list': [
    '---\nstatus: todo\ndepends_on:\n  - [Cart](./cart.md)\n  - pay\n---\n# Orders\n\nText.\n',
    { title: 'Orders', dependsOn: ['specs/cart.md', 'specs/pay.md'] },
  ],
};

const FILES: Readonly<Record<string, string>> = {
  'Japanese, without a heading': 'specs/2026-01-02-日本-カート.md',
  'a checklist and nothing else': 'specs/launch_list.md',
};

describe('specifications are read as a person would', () => {
  for (const [name, [text, expected]] of Object.entries(SPECS)) {
    it(name, () => check(FILES[name] ?? 'specs/a.md', text, expected));
  }
});

const OTHERS: Readonly<Record<string, readonly [text: string, expected: Expected]>> = {
  'a draft is not posted': ['---\nstatus: Draft\n---\n# A\n', { notPosted: 'its status is Draft' }],
  'a status that nobody knows is not posted': [
    '---\nstatus: Entwurf\n---\n# A\n',
    { notPosted: 'its status is Entwurf' },
  ],
  'an implemented one is done': [
    '# A\n\n**Status**: Implemented ✅\n',
    { title: 'A', isDone: true },
  ],
  'an empty file is refused': ['\n\n', { problems: ['specs/a.md:1: is empty'] }],
  'front matter without an end is refused': [
    '---\nstatus: ready\n\n# A\n',
    { problems: ['specs/a.md:1: the front matter has no closing ---'] },
  ],
  'a code block without an end is refused': [
    '# A\n\n```js\nlet a;\n',
    { problems: ['specs/a.md:3: this code block is never closed'] },
  ],
  'a size that is none is refused': [
    '---\nsize: huge\n---\n# A\n',
    { problems: ['specs/a.md:2: the size is huge; it must be XS, S, M, L or XL'] },
  ],
};

describe('a specification', () => {
  for (const [name, [text, expected]] of Object.entries(OTHERS)) {
    it(name, () => check('specs/a.md', text, expected));
  }

  it('keeps its hash when boxes are ticked and the status changes, and only then', () => {
    const hashOf = (text: string) => parseSpec('specs/a.md', text).items[0]?.hash;
    const before = hashOf('---\nstatus: ready\n---\n# A\n\n- [ ] one\n');
    assert.equal(hashOf('---\nstatus: in progress\n---\n# A\n\n- [x] one\n'), before);
    assert.notEqual(hashOf('---\nstatus: ready\n---\n# A\n\n- [ ] two\n'), before);
  });

  it('stands directly in the folder, and pages about the folder are none', () => {
    const paths = ['specs/a.md', 'specs/b/c.md', 'specs/README.md', 'specs/_draft.md'];
    assert.deepEqual(
      paths.filter((path) => isSpecFile(path, 'specs')),
      ['specs/a.md'],
    );
  });
});

function check(path: string, text: string, expected: Expected): void {
  const { items, file, problems } = parseSpec(path, text);
  const told = problems.map(({ file: where, line, because }) => `${where}:${line}: ${because}`);
  assert.deepEqual(told, expected.problems ?? []);
  assert.equal(file.notPosted, expected.notPosted ?? null);
  const [item] = items;
  if (expected.title === undefined) return assert.equal(item, undefined);
  assert.equal(item?.title, expected.title);
  for (const [key, value] of Object.entries(expected)) {
    assert.deepEqual(item[key as keyof typeof item], value, key);
  }
  assert.equal(item.id, path);
}
