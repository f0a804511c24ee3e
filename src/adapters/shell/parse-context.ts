import type { Part } from '../../domain/parsed-command.ts';
import type { ParsedCommandBuilder, ScriptContext } from './parsed-command-builder.ts';
import type { Upstream } from './xargs-and-find.ts';

/** A command's position in its script. */
export interface CommandContext {
  readonly within: readonly string[];
  /** Its input is not that of the whole command. */
  readonly fed: boolean;
  readonly upstream: readonly Upstream[];
  /** It certainly runs, once, before what follows it. */
  readonly isUnconditional: boolean;
}

/** What reading one command needs to know of its script. */
export interface ParseContext {
  readonly builder: ParsedCommandBuilder;
  readonly functions: ReadonlySet<string>;
  folders: readonly string[] | null;
  createPart(some: Partial<Part>, context: CommandContext): Part;
  /** Words that a builtin evaluates again must contain nothing that runs. */
  checkEvaluatedAgain(text: string): void;
  /** Reads text that is itself shell, and returns the folders it may end in. */
  readText(text: string, context: ScriptContext): ScriptContext['folders'];
}
