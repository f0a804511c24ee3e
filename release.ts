import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `npm run release -- <version>`: turns the entries under Unreleased into a release. It changes the changelog
 * and the version and leaves the commit to a person.
 */

/** The changelog with the release in it, or why there is nothing to release. */
export function releaseChangelog(
  changelog: string,
  version: string,
  date: string,
): { text: string } | { refused: string } {
  const [before, rest] = split(changelog, '## [Unreleased]\n');
  if (rest === undefined) return { refused: 'CHANGELOG.md has no heading "## [Unreleased]"' };

  const [unreleased = '', ...older] = rest.split(/^(?=## \[)/m);
  if (!/^- /m.test(unreleased)) return { refused: 'CHANGELOG.md has no entry under Unreleased' };

  const text = [
    before,
    '## [Unreleased]\n\n',
    `## [${version}] - ${date}\n\n`,
    `${unreleased.trim()}\n`,
    ...older.map((release) => `\n${release.trim()}\n`),
  ];
  return { text: text.join('') };
}

/** True if the version is later than the current one. */
export function isLater(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => /^(\d+)\.(\d+)\.(\d+)$/.exec(text)?.slice(1));
  if (!a || !b) return false;
  const place = a.findIndex((part, index) => part !== b[index]);
  return place >= 0 && Number(a[place]) > Number(b[place]);
}

function split(text: string, at: string): [string, string | undefined] {
  const index = text.indexOf(at);
  return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + at.length)];
}

function release(version: string): string {
  const path = (name: string) => join(import.meta.dirname, name);
  const manifest = readFileSync(path('package.json'), 'utf8');
  const current: string = JSON.parse(manifest).version;
  if (!isLater(version, current))
    return refuse(`"${version}" is not a version later than ${current}`);

  const date = new Date().toISOString().slice(0, 10);
  const changelog = releaseChangelog(readFileSync(path('CHANGELOG.md'), 'utf8'), version, date);
  if ('refused' in changelog) return refuse(changelog.refused);

  writeFileSync(path('CHANGELOG.md'), changelog.text);
  for (const name of ['package.json', 'package-lock.json']) {
    const text = readFileSync(path(name), 'utf8');
    const ours = /("name": "guildhall",\s+"version": ")[^"]+/g;
    writeFileSync(path(name), text.replace(ours, `$1${version}`));
  }
  return `wrote version ${version}; review the diff, commit it and tag it v${version}`;
}

function refuse(because: string): string {
  process.exitCode = 1;
  return `not released: ${because}`;
}

if (import.meta.main !== false) console.log(release(process.argv[2] ?? ''));
