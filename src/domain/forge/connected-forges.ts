import type { Board } from '../board.ts';
import type { HallEvent } from '../event.ts';
import { isLocal, type ProjectSettings } from '../project.ts';
import type { Row } from '../row.ts';
import type { ForgeKind } from './forge-kind.ts';

/** A forge that the configuration connects. Its credentials never reach the board. */
export interface ConnectedForge {
  readonly name: string;
  readonly kind: ForgeKind;
  readonly url: string;
}

/** The repository of a project on a forge: the name of the forge, and `owner/name` there. */
interface ForgeRepository {
  readonly forge: string;
  readonly path: string;
}

/** The parts of `github:acme/shop`; undefined for a folder and for a project without a repository. */
export function repositoryOn(repo: string | null): ForgeRepository | undefined {
  const [, forge, path] = /^([a-z0-9-]+):([^/\s]+\/[^/\s]+)$/.exec(repo ?? '') ?? [];
  if (forge === undefined || path === undefined || forge === 'file') return undefined;
  return { forge, path };
}

interface InRepository {
  readonly settings: Pick<ProjectSettings, 'repo'>;
}

/** The forge of a project's repository, if the hall is connected to it. */
export function forgeOf(
  { forges }: Pick<Board, 'forges'>,
  { settings }: InRepository,
): ConnectedForge | undefined {
  const repository = repositoryOn(settings.repo);
  return repository && forges.get(repository.forge);
}

/**
 * Whether the hall opens, follows and merges the pull requests of a project: it does so in a folder and
 * on a connected forge. Elsewhere other programs do, and report what they did.
 */
export function isFollowed(board: Pick<Board, 'forges'>, project: InRepository): boolean {
  return isLocal(project) || forgeOf(board, project) !== undefined;
}

type ForgeEvent = Extract<HallEvent, { type: 'ForgeConnected' | 'ForgeDisconnected' }>;

export function evolveForges(board: Board, event: ForgeEvent): readonly Row[] {
  if (event.type === 'ForgeConnected') {
    board.forges.set(event.forge.name, event.forge);
    return [{ table: 'forge', key: event.forge.name, row: event.forge }];
  }
  board.forges.delete(event.forge);
  return [{ table: 'forge', key: event.forge, row: null }];
}
