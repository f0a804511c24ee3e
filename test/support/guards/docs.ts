import { posix } from 'node:path';
import type { TreeFile } from '../tree.ts';

const README_LINES = 120;
const COMMANDS = ['npm install && npm start', 'npm install && npm test'];

/** docs/ has three folders with a purpose each; plans and reports belong elsewhere. */
const DOCS = /^docs\/((guide|reference|decisions)\/.+|conformance\.md)$/;

export function readmeIsShort(files: readonly TreeFile[]): string[] {
  const readme = files.find(({ path }) => path === 'README.md');
  if (!readme) return ['README.md: missing'];

  const lines = readme.text.trimEnd().split('\n').length;
  return [
    ...(lines > README_LINES ? [`README.md: ${lines} lines; ${README_LINES} is the limit`] : []),
    ...COMMANDS.filter((command) => !readme.text.includes(command)).map(
      (command) => `README.md: does not name "${command}"`,
    ),
  ];
}

export function docsHaveAPlace(files: readonly TreeFile[]): string[] {
  return files
    .filter(({ path }) => path.startsWith('docs/') && !DOCS.test(path))
    .map(({ path }) => `${path}: docs/ holds guide/, reference/, decisions/ and conformance.md`);
}

/** Every relative link resolves to a file or folder, and to a heading if it names one. */
export function linksResolve(files: readonly TreeFile[]): string[] {
  return files
    .filter(({ path }) => path.endsWith('.md'))
    .flatMap((page) =>
      linksIn(page.text).flatMap((link) => {
        const fault = faultOfLink(page, link, files);
        return fault ? [`${page.path}: ${link} ${fault}`] : [];
      }),
    );
}

/** Pages for developers; a file that moves must be updated in them. */
const ABOUT_CODE = /^(ARCHITECTURE|AGENTS)\.md$|^src\/.+\/README\.md$/;
const FILE_NAME = /`([\w./-]+\.(?:ts|js|json))`/g;

/** A file that such a page names exists, relative to the root of the repository or to the page's folder. */
export function namedFilesExist(files: readonly TreeFile[]): string[] {
  const paths = new Set(files.map(({ path }) => path));
  return files
    .filter(({ path }) => ABOUT_CODE.test(path))
    .flatMap((page) =>
      [...page.text.matchAll(FILE_NAME)]
        .map(([, name = '']) => name)
        .filter((name) => {
          const beside = posix.join(posix.dirname(page.path), name);
          return !paths.has(name) && !paths.has(beside);
        })
        .map((name) => `${page.path}: there is no file ${name}`),
    );
}

const TASK_STEPS = [
  'post',
  'route',
  'claim',
  'workspace',
  'prompt',
  'agent',
  'tool gate',
  'harvest',
  'push',
  'report',
  'checks',
  'review',
  'merge',
  'dependents',
];

/** The table of a task's path has every step, in order, and each step names a file. */
export function taskPathIsWhole(files: readonly TreeFile[]): string[] {
  const page = files.find(({ path }) => path === 'ARCHITECTURE.md')?.text ?? '';
  const section = /^## The path of a task\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(page)?.[1] ?? '';
  const rows = section.split('\n').filter((line) => /^\| (?!Step|---)/.test(line));
  const steps = rows.map((row) => row.split('|')[1]?.trim());
  return [
    ...(steps.join() === TASK_STEPS.join()
      ? []
      : [
          `ARCHITECTURE.md: the path of a task is ${TASK_STEPS.join(', ')}, not ${steps.join(', ')}`,
        ]),
    ...rows
      .filter((row) => !/`src\/[^`]+\.ts`/.test(row))
      .map((row) => `ARCHITECTURE.md: names no file: ${row}`),
  ];
}

/** The README of an adapter fits on a screen. */
const ADAPTER_README_LINES = 20;

export function adapterReadmesAreShort(files: readonly TreeFile[]): string[] {
  return files
    .filter(({ path }) => /^src\/.+\/README\.md$/.test(path))
    .flatMap(({ path, text }) => {
      const lines = text.trimEnd().split('\n').length;
      return lines > ADAPTER_README_LINES
        ? [`${path}: ${lines} lines; ${ADAPTER_README_LINES} is the limit`]
        : [];
    });
}

function linksIn(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)|^\[[^\]]+\]:\s+(\S+)/gm)]
    .map(([, inline, reference]) => inline ?? reference ?? '')
    .filter((link) => !/^[a-z][a-z+.-]*:/i.test(link));
}

function faultOfLink(page: TreeFile, link: string, files: readonly TreeFile[]): string | undefined {
  const [target = '', heading] = link.split('#');
  const path = target === '' ? page.path : posix.join(posix.dirname(page.path), target);
  const file = files.find((candidate) => candidate.path === path);
  const isFolder = files.some((candidate) => candidate.path.startsWith(path.replace(/\/?$/, '/')));
  if (!file && !isFolder) return 'has no target';
  if (heading === undefined || !file?.path.endsWith('.md')) return undefined;
  return headingsOf(file.text).includes(heading)
    ? undefined
    : 'names a heading that does not exist';
}

/** As forges build them: lower case, no punctuation, hyphens for spaces. */
function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ +(.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );
}
