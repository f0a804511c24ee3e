import type { ParsedCommand } from '../../domain/parsed-command.ts';
import type { Shell } from '../../ports/shell.ts';
import { complexityReason } from './complexity-limits.ts';
import { parseScript } from './parse-script.ts';
import { ParsedCommandBuilder, TooComplex } from './parsed-command-builder.ts';

/** Bash, read by unbash. Anything uncertain becomes a doubt. */
export function createShell(): Shell {
  return { read };
}

function read(command: string): ParsedCommand {
  const excess = complexityReason(command);
  if (excess !== undefined) return unread({ excess });
  const builder = new ParsedCommandBuilder();
  try {
    parseScript(builder, command, { within: [], folders: [''] });
  } catch (cause) {
    if (cause instanceof TooComplex) return { ...builder.build(), excess: cause.message };
    return unread({ fault: cause instanceof Error ? cause.message : String(cause) });
  }
  return builder.build();
}

function unread(reason: Partial<ParsedCommand>): ParsedCommand {
  return { parts: [], doubts: [], excess: null, fault: null, ...reason };
}
