import { visible } from '../api/escape-control-characters.ts';
import type { Cli } from './command.ts';
import type { Output } from './output.ts';

/** Lines of JSON for machines; for a person at a terminal the same in a readable form. */
export function logTarget({ out, stdout }: Pick<Cli, 'out' | 'stdout'>): {
  write(line: string): void;
} {
  if (!out.isTerminal) return stdout;
  return { write: (line) => void stdout.write(`${readable(line, out)}\n`) };
}

function readable(line: string, { colours }: Output): string {
  const { time, level, message, ...facts }: Record<string, unknown> = JSON.parse(line);
  const paints = { error: colours.red, warn: colours.yellow, info: colours.dim };
  const paint = paints[String(level) as keyof typeof paints];
  const fields = Object.entries(facts).map(([key, value]) => `${key}=${visible(String(value))}`);
  const clock = String(time).slice(11, 19);
  return `${colours.dim(clock)} ${paint(String(level).padEnd(5))} ${message} ${colours.dim(fields.join(' '))}`;
}
