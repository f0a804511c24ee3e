import type { FileProblem, SourceFile, SourceItem } from '../domain/sources/item.ts';

/**
 * Where tasks come from by themselves: issues of a forge, or files of a repository. A source only tells what
 * it has; the board decides what becomes of it. An item keeps its id for as long as it exists.
 */
export interface TaskSource {
  /**
   * Everything that the source has now, or `unchanged` if nothing can have changed since a position.
   * Throws `SourceUnavailable`.
   */
  read(since: string | null): Promise<SourceReading | 'unchanged'>;
}

export interface SourceReading {
  /** Changes whenever the items do; null where the source has nothing of the kind. */
  readonly position: string | null;
  /** In the order in which they are to be worked on. */
  readonly items: readonly SourceItem[];
  readonly files: readonly SourceFile[];
  /** Files with a problem have no items here, and what they had before stays as it is. */
  readonly problems: readonly FileProblem[];
  /** False if there are more items than were read, so that a missing one may still exist. */
  readonly isComplete: boolean;
}

/** The source did not answer, or answered with a failure. */
export class SourceUnavailable extends Error {
  override readonly name = 'SourceUnavailable';
}

/** The files of a repository at one commit. */
export interface RepositoryFiles {
  readonly defaultBranch: string;
  tip(branch: string): Promise<string | null>;
  /** The text files in a folder and below, by path. A file that is too large or no text has no text. */
  readFolder(commit: string, folder: string, limits: FolderLimits): Promise<readonly FolderFile[]>;
}

export interface FolderLimits {
  /** Only files whose names end so. */
  readonly ending: string;
  readonly files: number;
  readonly bytesEach: number;
}

export interface FolderFile {
  readonly path: string;
  readonly text: string | null;
  /** For people: why it has no text. */
  readonly because: string;
}
