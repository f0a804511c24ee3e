import type { CommandSpec } from './command.ts';

/**
 * The option or argument of a command that fills a field of the API, as the user typed it: `--depends-on`
 * for `depends_on[0]`, `<task>` for `id`. Other paths, such as those into a file, stay as they are.
 */
export function asTyped(path: string, spec: CommandSpec | undefined): string {
  const [, field] = /^([a-z_]+)(?:\[\d+\])?$/.exec(path) ?? [];
  if (field === undefined || !spec) return path;
  const [argument] = spec.arguments ?? [];
  if (field === 'id' && argument) return argument.usage;
  const flag = `--${field.replaceAll('_', '-')}`;
  const flags = (spec.options ?? []).flatMap((option) => option.flags.split(/[ ,]+/));
  return [flag, flag.replace(/s$/, '')].find((each) => flags.includes(each)) ?? path;
}
