import type { Part } from '../../domain/shell-reading.ts';
import type { Upstream } from './listings.ts';
import type { Notes, Place } from './notes.ts';

/** How a command stands in its script. */
export interface Standing {
  readonly within: readonly string[];
  /** Its input is not that of the whole command. */
  readonly fed: boolean;
  readonly upstream: readonly Upstream[];
  /** It certainly runs, once, before what follows it. */
  readonly straight: boolean;
}

/** What the reading of one command knows of the script around it. */
export interface Reader {
  readonly notes: Notes;
  readonly functions: ReadonlySet<string>;
  folders: readonly string[] | null;
  partOf(some: Partial<Part>, standing: Standing): Part;
  /** Words that a builtin would evaluate again must hold nothing that runs. */
  secondTime(text: string): void;
  /** Reads text that is shell itself, and says in which folders it may have ended. */
  text(text: string, place: Place): Place['folders'];
}
