import type { ParsedCommand } from '../domain/parsed-command.ts';

/** Parses commands without running them. */
export interface Shell {
  /**
   * The result lists every program that the command could start, or states a doubt. Never throws: a
   * parser failure is part of the result.
   */
  read(command: string): ParsedCommand;
}
