import { readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Config } from '../../config/config.ts';
import { replaceFile, writeCandidate } from '../../main/replace-file.ts';
import type { Cli } from '../command.ts';
import { createContext } from '../context.ts';
import { InvalidUsage } from '../invalid-usage.ts';
import { ParsedInput } from '../parsed-input.ts';
import { changedLines, type ForgeEntry, withForge } from './edit-config.ts';

/** A change of the configuration file that was checked and not made yet. */
interface PlannedEdit {
  readonly file: string;
  /** The lines that change; empty when the file says it already. */
  readonly lines: string;
  save(): Promise<void>;
}

/** The configuration of the hall, which must have a file. */
export async function configWithFile(
  cli: Cli,
): Promise<{ readonly config: Config; readonly file: string }> {
  const config = await cli.inspectedConfig();
  if (config.file !== null) return { config, file: resolve(cli.cwd, config.file) };
  throw new InvalidUsage(
    `the entry of the forge belongs into a guildhall.yaml; create one with: ${cli.command('init')}`,
  );
}

/** Writes the entry of a forge into the text of the file and checks that a hall would start with it. */
export async function planEdit(
  cli: Cli,
  file: string,
  { name, entry }: { readonly name: string; readonly entry: ForgeEntry },
): Promise<PlannedEdit> {
  const before = readFileSync(file, 'utf8');
  const after = withForge(before, name, entry);
  const lines = changedLines(before, after);
  if (lines !== '') await requireValid(cli, file, after);
  return { file, lines, save: () => replaceFile(file, after, statSync(file).mode & 0o777) };
}

/** Throws `ConfigRefused` unless the text is a configuration without mistakes. */
async function requireValid(cli: Cli, file: string, text: string): Promise<void> {
  const candidate = join(dirname(file), `.${basename(file)}.candidate`);
  writeCandidate(candidate, text);
  try {
    const input = new ParsedInput([], { config: candidate }, cli.stdin);
    await createContext(input, cli.out, { context: cli, printed: cli }).cli.inspectedConfig();
  } finally {
    rmSync(candidate, { force: true });
  }
}
