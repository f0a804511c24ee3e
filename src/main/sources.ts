import { createIssueSource } from '../adapters/sources/forge-issues.ts';
import { createFileSource } from '../adapters/sources/repository-files.ts';
import type { Hall } from '../board/hall.ts';
import { type SourceSync, syncSources } from '../board/sync-sources.ts';
import type { Config } from '../config/config.ts';
import { repositoryOn } from '../domain/forge/connected-forges.ts';
import { localPath } from '../domain/project.ts';
import { type ConfiguredSource, fileKind } from '../domain/sources/configured.ts';
import type { Log } from '../ports/log.ts';
import type { RepositoryFiles, TaskSource } from '../ports/task-source.ts';
import type { Repository } from '../ports/workspace.ts';
import type { Forges } from './forges.ts';

interface Needs {
  readonly hall: Hall;
  readonly config: Config;
  readonly log: Log;
  readonly forges: Forges;
  readonly workspaces: { mirror(repo: Repository): Promise<RepositoryFiles> };
  readonly lookAt: (project: string, number: number) => Promise<void>;
}

/** Reads the task sources of all projects. */
export function startSources(needs: Needs): SourceSync {
  const { hall, config, log, forges, lookAt } = needs;
  const { poll, ...times } = config.hall.sources;
  return syncSources({
    ...{ hall, log, times, lookAt },
    clock: hall.clock,
    open: (source) => openSource(needs, source),
    pollEvery: ({ project }) => {
      const { repo = null } = hall.board.projects.get(project)?.settings ?? {};
      const place = repositoryOn(repo);
      return place ? forges.pollEvery(place.forge).active : poll;
    },
  });
}

function openSource(needs: Needs, source: ConfiguredSource): TaskSource {
  const { hall, forges } = needs;
  const { repo, base = null } = hall.board.projects.get(source.project)?.settings ?? {};
  const kind = fileKind(source);
  if (!kind) {
    return createIssueSource({
      repo: repo ?? '',
      labels: source.labels,
      placeOf: forges.placeOf,
    });
  }
  const mirror = () => mirrorOf(needs, repo ?? '');
  return createFileSource({ kind, folder: source.path, base, mirror });
}

async function mirrorOf({ workspaces, forges }: Needs, repo: string): Promise<RepositoryFiles> {
  const folder = localPath(repo);
  if (folder !== undefined) return workspaces.mirror({ url: folder, credential: null });
  const { url, credential } = await forges.gitAccessOf(repo, 'read');
  return workspaces.mirror({ url, credential, name: repo });
}
