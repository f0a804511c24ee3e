import type { Reading } from '../../domain/shell-reading.ts';
import type { Shell } from '../../ports/shell.ts';
import { excessIn } from './excess.ts';
import { Excess, Notes } from './notes.ts';
import { readText } from './read-script.ts';

/** Bash, read by unbash. Whatever is not certain becomes a doubt. */
export function createShell(): Shell {
  return { read };
}

function read(command: string): Reading {
  const excess = excessIn(command);
  if (excess !== undefined) return nothing({ excess });
  const notes = new Notes();
  try {
    readText(notes, command, { within: [], folders: [''] });
  } catch (cause) {
    if (cause instanceof Excess) return { ...notes.reading(), excess: cause.message };
    return nothing({ fault: cause instanceof Error ? cause.message : String(cause) });
  }
  return notes.reading();
}

function nothing(why: Partial<Reading>): Reading {
  return { parts: [], doubts: [], excess: null, fault: null, ...why };
}
