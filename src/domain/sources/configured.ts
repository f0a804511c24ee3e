import type { Board } from '../board.ts';
import { forgeOf, isFollowed, repositoryOn } from '../forge/connected-forges.ts';
import type { ForgeKind } from '../forge/forge-kind.ts';
import type { Project } from '../project.ts';

/** A task source as a project names it. */
export interface ConfiguredSource {
  /** Stays the same when the path or the filter of the source changes, and when others are added. */
  readonly id: string;
  readonly project: string;
  readonly kind: string;
  /** Of files: the folder in the repository. */
  readonly path: string;
  /** Of issues: the labels that an issue must have, all of them. */
  readonly labels: readonly string[];
}

const FILE_KINDS = ['spiral-grove', 'spec-files'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** The forges whose issues a kind reads. Gitea and Forgejo have one API. */
const FORGES: Readonly<Record<string, readonly ForgeKind[]>> = {
  'github-issues': ['github'],
  'forgejo-issues': ['forgejo', 'gitea'],
  'gitea-issues': ['gitea', 'forgejo'],
};

/** The kind of a source that reads files; undefined for other kinds. */
export function fileKind({ kind }: Pick<ConfiguredSource, 'kind'>): FileKind | undefined {
  return FILE_KINDS.find((each) => each === kind);
}

export function readsFiles(source: Pick<ConfiguredSource, 'kind'>): boolean {
  return fileKind(source) !== undefined;
}

export function readsIssues({ kind }: Pick<ConfiguredSource, 'kind'>): boolean {
  return FORGES[kind] !== undefined;
}

/** The sources of a project, in the order in which it names them. */
export function sourcesOf({
  name,
  settings,
}: Pick<Project, 'name' | 'settings'>): readonly ConfiguredSource[] {
  const seen = new Map<string, number>();
  return settings.sources.map(({ kind, path, filter }) => {
    const count = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, count);
    return {
      id: `${name}-${kind}${count === 1 ? '' : `-${count}`}`,
      project: name,
      kind,
      path: typeof path === 'string' ? path : '',
      labels: labelsIn(filter),
    };
  });
}

function labelsIn(filter: unknown): readonly string[] {
  if (typeof filter !== 'object' || filter === null || !('labels' in filter)) return [];
  const { labels } = filter;
  return Array.isArray(labels) ? labels.filter((label) => typeof label === 'string') : [];
}

export function allSources({ projects }: Pick<Board, 'projects'>): readonly ConfiguredSource[] {
  return [...projects.values()].flatMap(sourcesOf);
}

/** For people: why nothing reads a source, until somebody changes the configuration; null where it is read. */
export function whyNotRead(board: Board, source: ConfiguredSource): string | null {
  const project = board.projects.get(source.project);
  if (!project || source.kind === 'api') return null;
  const { repo } = project.settings;
  if (repo === null) return `project ${project.name} has no repository`;
  if (readsFiles(source)) {
    return isFollowed(board, project) ? null : notConnected(repo);
  }
  const forge = forgeOf(board, project);
  if (forge && FORGES[source.kind]?.includes(forge.kind)) return null;
  if (!forge && repositoryOn(repo)) return notConnected(repo);
  return `${source.kind} needs a repository on ${FORGES[source.kind]?.join(' or ')}, and ${project.name} is at ${repo}`;
}

function notConnected(repo: string): string {
  return `the hall is not connected to the forge of ${repo}`;
}
