import type { Arg } from '../parsed-command.ts';
import { deny, FINE, type Ruling, review, strictest, unlisted } from './ruling.ts';

/** Where a command runs, as the agent sees it. */
export interface Surroundings {
  /** The root of the workspace, an absolute path. */
  readonly worktree: string;
  /** The folder the command starts in, an absolute path. */
  readonly cwd: string;
  /** The real targets of words that are links, resolved by the worker's host. */
  readonly links: ReadonlyMap<string, string>;
}

/** Where relative paths of a part begin. */
interface Where {
  readonly folders: readonly string[] | null;
  readonly at: Surroundings;
}

/** Judges reading or writing one word of a command as a path, in each folder it may be used in. */
export function rulePath(arg: Arg, way: 'read' | 'write', where: Where): Ruling {
  if (arg.open === 'number' || arg.open === 'names') return FINE;
  if (arg.open === 'unknown') return ruleUnknown(arg);
  if (URL.test(arg.text)) return review(`${arg.text} is not a file of the workspace`);
  const places = placesOf(arg.text, where);
  if (!places) return review(`cannot determine which folder ${arg.text} is in`);
  const rulings = places.map((path) => rulePlace(path, way, where.at));
  const worst = strictest([...rulings, ...ruleMatches(arg, way, places)], FINE);
  if (worst !== FINE || arg.open !== 'glob') return worst;
  return places.some((path) => !isInside(path, where.at.worktree) && !SCRATCH.test(path))
    ? review(`${arg.text} may match files outside the workspace`)
    : FINE;
}

/** Folders that a pattern of file names must not reach unseen. */
const GUARDED = ['.git', '.env', '.ssh'];

function ruleMatches(
  { open }: Arg,
  way: 'read' | 'write',
  places: readonly string[],
): readonly Ruling[] {
  if (open !== 'glob') return [];
  const pieces = places.flatMap((place) => place.split('/')).filter((piece) => /[*?[]/.test(piece));
  return pieces.flatMap((piece) => {
    const source = piece.replace(/[.+^${}()|\\]/g, '\\$&').replace(/\[[^\]]*\]?|[*?]/g, '.*');
    const name =
      /^[.[]/.test(piece) && GUARDED.find((each) => new RegExp(`^${source}$`).test(each));
    return name && (way === 'write' || name !== '.git')
      ? [review(`${piece} may match ${name}`)]
      : [];
  });
}

/** Judges a word whose effect is not known: the program may read it, write it, or ignore it. */
export function rulePossiblePath(arg: Arg, where: Where): Ruling {
  if (arg.open === 'unknown' || arg.open === 'number' || arg.open === 'names') return FINE;
  const words = possiblePaths(arg.text).map((text): Arg => ({ text, open: arg.open, start: text }));
  return strictest(
    words.map((word) => rulePossible(word, where)),
    FINE,
  );
}

function rulePossible(word: Arg, where: Where): Ruling {
  const read = rulePath(word, 'read', where);
  if (read.verdict === 'deny') return read;
  const places = placesOf(word.text, where) ?? [];
  if ([word.text, ...places].some((path) => OF_GIT.test(path)))
    return review(`${word.text} belongs to git; change it with git commands`);
  const worst = strictest([read, rulePath(word, 'write', where)], FINE);
  if (worst.verdict === 'accept' || ruleMatches(word, 'write', places).length > 0) return worst;
  return unlisted(worst.because);
}

/** A word, its rest after the sign of an option, and a path of git anywhere in it. */
function possiblePaths(text: string): readonly string[] {
  const attached = text.startsWith('-') ? [text.slice(2)] : [];
  const git = text.search(/\.git(\/|$)/);
  const found = [...text.split(/[=:,]/), ...attached, ...(git > 0 ? [text.slice(git)] : [])];
  return [...new Set([text, ...found])].filter((each) => each !== '');
}

/** A file to be run must belong to the repository, also after links are resolved. */
export function ruleCode(arg: Arg, where: Where): Ruling {
  const ruling = rulePath(arg, 'read', where);
  if (ruling !== FINE || arg.open === 'number' || arg.open === 'names') return ruling;
  if (/[{}()<>;"'`\n]/.test(arg.text)) return review(`${arg.text} is code or settings, not a file`);
  const named = /=(.+)/s.exec(arg.text)?.[1];
  const places = [arg.text, ...(named ? [named] : [])].flatMap(
    (text) => placesOf(text, where) ?? [],
  );
  const outside = places.find((path) => !isInside(path, where.at.worktree));
  return outside === undefined ? FINE : review(`${outside} is code outside the workspace`);
}

function ruleUnknown({ text, start }: Arg): Ruling {
  if (NETWORK.test(start === '' ? text : start)) return deny(CONNECTS);
  return review(`which file ${text} refers to is known only at run time`);
}

/** Every absolute path that a word may stand for, and where those are links to; home stays `~`. */
function placesOf(text: string, { folders, at }: Where): readonly string[] | undefined {
  const isAbsolute = /^[/~]/.test(text);
  if (!isAbsolute && !folders) return undefined;
  const written = isAbsolute
    ? [text]
    : (folders ?? []).map((each) => `${folderAt(at, each)}/${text}`);
  const places = written.map(normal);
  return [...places, ...[text, ...places].flatMap((path) => at.links.get(path) ?? [])];
}

/** The absolute path of a folder that is relative to where the command starts. */
export function folderAt({ cwd }: Surroundings, folder: string): string {
  return /^[/~]/.test(folder) ? folder : `${cwd}/${folder}`;
}

/** Removes `.`, `..` and repeated slashes. */
export function normal(path: string): string {
  const root = path.startsWith('/') ? '/' : '';
  const kept: string[] = [];
  for (const piece of path.split('/')) {
    if (piece === '' || piece === '.') continue;
    if (piece !== '..') kept.push(piece);
    else if (kept.length > 0 && kept.at(-1) !== '..' && kept.at(-1) !== '~') kept.pop();
    else if (root === '') kept.push('..');
  }
  return root + kept.join('/');
}

const CONNECTS = 'it opens a connection to the network';
const NETWORK = /^\/dev\/(tcp|udp)(\/|$)/;
/** Code and settings may also come from another machine, or be in the word itself. */
const URL = /^([a-z][a-z\d+.-]*:\/\/|data:)/i;
const SECRET =
  /(^|\/)(\.(ssh|aws|gnupg|kube|azure|docker)(\/|$)|\.(netrc|git-credentials|pgpass|vault-token)$|\.config\/(gh|gcloud|hub)(\/|$)|\.(cargo|gem)\/credentials(\.toml)?$|\.m2\/settings[\w-]*\.xml$|^~\/\.(npmrc|yarnrc(\.yml)?|pypirc)$|id_(rsa|ed25519|ecdsa|dsa)$)/;
const HOST =
  /^\/(proc\/(?!(cpuinfo|meminfo|version|loadavg|uptime|stat)$)|proc$|sys(\/|$)|run\/(secrets|hall)(\/|$)|(var\/)?run\/[\w./-]*\.sock$|etc\/(shadow|gshadow|sudoers)|root(\/|$)|boot(\/|$)|dev\/(mem|kmem|sd|nvme|disk|vd|loop))/;
const KEY = /\.(pem|key|p12|pfx|jks|keystore|kdbx)$/;
const ENVIRONMENT = /(^|\/)\.env(\.(?!(example|sample|template|test|dist|defaults?)$)[\w-]+)?$/;
const GIT_RUNS = /(^|\/)\.git\/(hooks|config|info)(\/|$)/;
const OF_GIT = /(^|\/)\.git(\/|$)/;
/** Settings that a package manager or a shell obeys at its next start. */
const OBEYED =
  /(^|\/)(\.(npmrc|yarnrc|yarnrc\.yml|pnpmfile\.cjs|envrc)|\.cargo\/config(\.toml)?|\.mvn\/[^/]+|\.bundle\/config)$/;
const SYSTEM = /^\/(usr|lib|lib64|bin|sbin|opt|etc|nix|snap)(\/|$)/;
const SCRATCH =
  /^\/(tmp|var\/tmp)(\/|$)|^\/dev\/(null|stdout|stderr|stdin|tty|zero|u?random|fd(\/.*)?|full)$/;

function rulePlace(path: string, way: 'read' | 'write', { worktree }: Surroundings): Ruling {
  if (NETWORK.test(path)) return deny(CONNECTS);
  if (SECRET.test(path)) return deny(`${path} is a place for keys and passwords`);
  if (HOST.test(path)) return deny(`${path} belongs to the machine, not to the workspace`);
  const inside = isInside(path, worktree);
  if (KEY.test(path)) {
    return inside ? review(`${path} looks like a key`) : deny(`${path} looks like a key`);
  }
  if (way === 'write' && GIT_RUNS.test(path))
    return deny(`git executes ${path} or reads settings from it`);
  if (inside) return ruleInside(path, way);
  if (SCRATCH.test(path)) return FINE;
  if (way === 'read' && (path.startsWith('~') || SYSTEM.test(path))) return FINE;
  return review(`${path} is outside the workspace`);
}

function ruleInside(path: string, way: 'read' | 'write'): Ruling {
  if (way === 'read' && ENVIRONMENT.test(path)) return review(`${path} may contain passwords`);
  if (way === 'write' && OF_GIT.test(path))
    return review(`${path} belongs to git; change it with git commands`);
  if (way === 'write' && OBEYED.test(path))
    return review(`programs obey ${path} at their next start`);
  return FINE;
}

export function isInside(path: string, folder: string): boolean {
  const root = normal(folder);
  return path === root || path.startsWith(`${root === '/' ? '' : root}/`);
}

/** A word, and the value after `=` in an option. */
export function pathWords({ text, open }: Arg): readonly string[] {
  if (open === 'unknown' || open === 'number' || open === 'names') return [];
  const value = /^--?[\w-]+=(.+)$/s.exec(text)?.[1];
  return value === undefined ? [text] : [value];
}
