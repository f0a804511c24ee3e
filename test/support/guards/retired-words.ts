import { placeOf } from '../syntax.ts';
import { isTypeScript, type TreeFile } from '../tree.ts';
import { exportedNames } from './exported-names.ts';

/**
 * Words of our own for things that have a common term. They may not appear anywhere: not in code, comments,
 * docs or test titles. Each is listed with its inflections.
 */
export const INVENTED_WORDS: Readonly<Record<string, string>> = {
  'blot|blots|blotted|blotting': 'redact',
  'errand|errands': 'pull-request action',
  'leash|leashes': 'lifeline',
  'keyring|keyrings': 'authenticator',
  'reign|reigns': 'term',
  premises: 'run folders',
  'sift|sifts|sifted': 'filter',
  stirred: 'wakeups',
  'signpost|signposts': 'API index',
  attendance: 'liveness',
  'signs of life': 'liveness',
  'pulse|pulses': 'heartbeat',
  'witness|witnesses': 'last-seen head',
  deposed: 'leadership lost',
  'land|lands|landed': 'merge (or push)',
  spoilt: 'unusable',
  'salvage|salvages|salvaged': 'rescue',
  forsaken: 'abandoned',
  walls: 'isolation (or sandbox)',
  'weapon|weapons': 'dangerous options',
};

/** Files that must name a retired word: translations of what older versions stored, and this guard. */
const MAY_NAME = [
  /^test\/support\/guards\/retired-words\.ts$/,
  /^test\/names\.test\.ts$/,
  /^test\/fixtures\//,
  /^src\/domain\/renamed-events(\.test)?\.ts$/,
  /^src\/adapters\/sql\/migrations(\.test)?\.ts$/,
  /^src\/adapters\/git\/run-record(\.test)?\.ts$/,
  /^docs\/decisions\/0015-renamed-events\.md$/,
  /^src\/adapters\/postgres\/(head-row|migrate)(\.test)?\.ts$/,
  // The kernel has keyrings of its own.
  /^src\/adapters\/sandbox\/seccomp\.ts$/,
  /^test\/acceptance\/rows-upgrade\.test\.ts$/,
  /^CHANGELOG\.md$/,
];

export function inventedWordsAreRetired(files: readonly TreeFile[]): string[] {
  return files
    .filter(({ path }) => !MAY_NAME.some((pattern) => pattern.test(path)))
    .filter(({ path }) => /\.(ts|tsx|js|mjs|md|yaml|yml|json|sh)$/.test(path))
    .filter(({ path }) => !path.endsWith('package-lock.json'))
    .flatMap(({ path, text }) => [
      ...inventedIn(path).map((finding) => `${path}: the path has ${finding}`),
      ...text
        .split('\n')
        .flatMap((line, n) => inventedIn(line).map((finding) => `${path}:${n + 1}: ${finding}`)),
    ]);
}

function inventedIn(line: string): string[] {
  const spaced = line.replace(/(?<=[a-z0-9])(?=[A-Z])|[_\-/]/g, ' ').toLowerCase();
  return PATTERNS.filter(({ pattern }) => pattern.test(spaced)).map(
    ({ word, expected }) => `"${word}" is retired; the word is ${expected}`,
  );
}

const PATTERNS = Object.entries(INVENTED_WORDS).map(([forms, expected]) => ({
  word: forms.split('|')[0] ?? forms,
  expected,
  pattern: new RegExp(`\\b(?:${forms})\\b`),
}));

/**
 * Ordinary words that once had a meaning of our own. As a file name or an exported identifier they tell a
 * reader nothing; in a sentence they are fine.
 */
export const ORDINARY_WORDS: Readonly<Record<string, string>> = {
  ask: 'request, query, or what is requested',
  asked: 'request, input or options',
  attending: 'liveness',
  beat: 'heartbeat',
  beats: 'heartbeats',
  counted: 'plural',
  desk: 'hall client',
  door: 'request dispatch',
  doors: 'proxies',
  farewell: 'deregister, or the message that is printed',
  gate: 'tool gate (only that), rule or check',
  gates: 'claim rules',
  given: 'parsed input',
  hands: 'machine services or workers',
  heard: 'parsed message',
  keeper: 'cleaner',
  kept: 'what is stored: settings, session, disk use',
  own: 'visibility, or whose it is',
  repeat: 'idempotency key',
  room: 'running container, or disk space',
  said: 'response, message or report',
  scene: 'run environment',
  seeing: 'overview or queries',
  seen: 'what was read or observed',
  sheet: 'prompt file',
  sheets: 'prompt files',
  sight: 'view',
  steering: 'operator actions',
  strangers: 'semaphore',
  told: 'reply, facts or event',
  turn: 'sequence',
  isolates: 'isolation',
  when: 'time, condition or moment',
  words: 'text, message or field',
};

/** Names that end in one of these say that something was said, not what it is. */
const RETIRED_ENDINGS = ['Asked', 'Told', 'Said'];

export function ordinaryWordsNameNothing(files: readonly TreeFile[]): string[] {
  return files
    .filter((file) => isTypeScript(file))
    .flatMap((file) => [
      ...retiredName(stemOf(file.path)).map((finding) => `${file.path}: ${finding}`),
      ...exportedNames(file).flatMap(({ name, node }) =>
        [...retiredName(name), ...retiredEnding(name)].map(
          (finding) => `${placeOf(file, node)}: ${finding}`,
        ),
      ),
    ]);
}

function retiredName(name: string): string[] {
  const expected = Object.hasOwn(ORDINARY_WORDS, name.toLowerCase())
    ? ORDINARY_WORDS[name.toLowerCase()]
    : undefined;
  return expected === undefined ? [] : [`${name} is retired as a name; expected: ${expected}`];
}

function retiredEnding(name: string): string[] {
  const ending = RETIRED_ENDINGS.find((word) => name.endsWith(word) && name !== word);
  return ending === undefined ? [] : [`${name} ends in ${ending}; name what it is`];
}

function stemOf(path: string): string {
  return (path.split('/').at(-1) ?? path).replace(/(\.test|\.contract)?\.tsx?$/, '');
}
