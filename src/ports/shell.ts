import type { ParsedCommand } from '../domain/parsed-command.ts';

/** Reads commands without running them. */
export interface Shell {
  /**
   * Every program that the command could start is among the parts, or there is a doubt. Never throws:
   * where the reader fails, the reading says so.
   */
  read(command: string): ParsedCommand;
}
