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

/** Every relative link leads to a file or folder, and to a heading where it names one. */
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
  if (!file && !isFolder) return 'leads nowhere';
  if (heading === undefined || !file?.path.endsWith('.md')) return undefined;
  return headingsOf(file.text).includes(heading) ? undefined : 'names a heading that is not there';
}

/** As forges make them: lower case, no punctuation, hyphens for spaces. */
function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ +(.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );
}
