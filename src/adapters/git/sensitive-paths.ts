import type { Finding } from '../../ports/workspace.ts';
import { foldedPath } from './folded-name.ts';
import { SENSITIVE_NAMES } from './sensitive-names.ts';

type Verdict = Omit<Finding, 'path'>;

/**
 * Judged by name alone, whether it is a file, a folder, a link or a submodule: what is below it and
 * what is above it counts too, since a link in place of `.github` brings its own `workflows`. A name
 * that the path has by a link counts like its own.
 */
export function sensitivePath(path: string, aliases: readonly string[] = []): Finding | undefined {
  const own = verdictOn(path);
  if (own?.blocks) return { path, ...own };
  for (const alias of aliases) {
    const verdict = verdictOn(alias);
    if (!verdict?.blocks) continue;
    return { path, ...verdict, because: `is linked as ${alias}, which ${verdict.because}` };
  }
  return own && { path, ...own };
}

const EFFECTS: Readonly<Record<keyof typeof SENSITIVE_NAMES, Verdict>> = {
  ci: {
    kind: 'sensitive_path',
    because: 'controls what runs with the permissions of the repository, or who must review',
    blocks: true,
  },
  agents: {
    kind: 'agent_settings',
    because: 'instructs agents, or makes their tools run programs',
    blocks: true,
  },
  editors: {
    kind: 'sensitive_path',
    because: 'makes an editor or a shell run programs when the folder is opened',
    blocks: true,
  },
  tools: {
    kind: 'sensitive_path',
    because: 'makes git, a package manager or a build tool run programs on other machines',
    blocks: true,
  },
  attributes: { kind: 'sensitive_path', because: 'changes how git treats files', blocks: false },
  locks: { kind: 'sensitive_path', because: 'pins which packages are installed', blocks: false },
};

interface Rule {
  readonly pattern: RegExp;
  readonly verdict: Verdict;
}

const RULES: readonly Rule[] = (
  Object.keys(SENSITIVE_NAMES) as (keyof typeof SENSITIVE_NAMES)[]
).flatMap((effect) =>
  Object.entries(SENSITIVE_NAMES[effect]).flatMap(([reader, names]) => {
    const { because, ...verdict } = EFFECTS[effect];
    return names.split(' ').map((name) => ({
      pattern: patternOf(name),
      verdict: { ...verdict, because: `${because} (${reader})` },
    }));
  }),
);

function verdictOn(path: string): Verdict | undefined {
  const folded = foldedPath(path);
  if (HARMLESS.test(folded)) return undefined;
  return RULES.find(({ pattern }) => pattern.test(folded))?.verdict;
}

/** What forges show to people, in folders of which they obey the rest. */
const HARMLESS =
  /^\.(github|gitlab|forgejo|gitea|bitbucket)\/(([a-z]+_)+templates?(\/|\.md$)|(readme|contributing|security|support|code_of_conduct)\.md$|funding\.ya?ml$|[^/]+\.(png|svg|jpg|gif)$)/;

/** A name matches in any folder, or only at the root after a slash; `*` is anything but a slash. */
function patternOf(name: string): RegExp {
  const isAtRoot = name.startsWith('/');
  const parts = foldedPath(isAtRoot ? name.slice(1) : name)
    .split('/')
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*'));
  const above = parts.slice(1).map((_, at) => `${parts.slice(0, at + 1).join('/')}$`);
  const all = [`${parts.join('/')}(?:/|$)`, ...above].join('|');
  return new RegExp(`${isAtRoot ? '^' : '(?:^|/)'}(?:${all})`, 'u');
}
