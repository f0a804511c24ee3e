import type { Part } from '../../domain/parsed-command.ts';
import type { ReadingBuilder, ScriptContext } from './reading-builder.ts';
import type { Upstream } from './xargs-and-find.ts';

/** How a command stands in its script. */
export interface CommandContext {
  readonly within: readonly string[];
  /** Its input is not that of the whole command. */
  readonly fed: boolean;
  readonly upstream: readonly Upstream[];
  /** It certainly runs, once, before what follows it. */
  readonly isUnconditional: boolean;
}

/** What the reading of one command knows of the script around it. */
export interface Reader {
  readonly builder: ReadingBuilder;
  readonly functions: ReadonlySet<string>;
  folders: readonly string[] | null;
  createPart(some: Partial<Part>, context: CommandContext): Part;
  /** Words that a builtin would evaluate again must hold nothing that runs. */
  checkEvaluatedAgain(text: string): void;
  /** Reads text that is shell itself, and says in which folders it may have ended. */
  readText(text: string, context: ScriptContext): ScriptContext['folders'];
}
