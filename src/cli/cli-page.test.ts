import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { LoadedCommand, OptionSpec } from './command.ts';
import { loadCommands } from './commands.ts';
import { commonOptions } from './program.ts';

const COMMANDS = await loadCommands();
const PAGE = join(import.meta.dirname, '../../docs/reference/cli.md');

const INTRODUCTION = `# Commands

\`guildhall <noun> <verb>\`. Every command accepts \`--json\`, \`--no-color\` and \`--help\`, which shows examples.

- Data goes to stdout, everything else to stderr. Colours and progress are shown only on a terminal; \`NO_COLOR\`,
  \`FORCE_COLOR\` and \`TERM=dumb\` are respected.
- \`--json\` prints one JSON object; commands that stream (\`events\`, \`task log\`, \`demo\`) or
  act on several tasks print one object per line. An error is one
  object on stderr: \`{"error": {"code", "message", "mistakes", "hint", "exit"}}\`.
- Exit codes: 0 ok, 1 failed or not found, 2 invalid usage, 3 refused by a rule, 130 interrupted.
- The hall is the one at \`--url\`, else the one at \`$GUILDHALL_URL\`, else the one that runs on the configured data folder.
  The token is \`--token\`, else \`$GUILDHALL_TOKEN\` or \`$GUILDHALL_TOKEN_FILE\`, else \`data/token\`, which is sent only to the
  hall of that folder.
- Text from the board is printed with control characters made visible.

This page is compared with the program by \`src/cli/cli-page.test.ts\`, which rewrites it when run with \`--update\`.
`;

/** Common options are listed once, by what the commands work on. */
function pageOf(commands: readonly LoadedCommand[]): string {
  const common = (['hall', 'folder', 'nothing'] as const).map((uses) => {
    const rows = commonOptions({ uses }).map(optionRow);
    return [`## Options of commands that use ${USES[uses]}`, '', HEAD, ...rows, ''].join('\n');
  });
  return `${[INTRODUCTION, ...common, ...commands.map(commandText)].join('\n')}`;
}

const HEAD = '| | |\n|---|---|';

const USES = {
  hall: 'a hall over its API',
  folder: 'the data folder',
  nothing: 'neither a hall nor its data',
} as const;

function commandText(spec: LoadedCommand): string {
  const args = (spec.arguments ?? []).map(({ usage }) => ` ${usage}`).join('');
  const rows = [
    ...(spec.arguments ?? []).map(({ usage, about }) => row(usage, about)),
    ...(spec.options ?? []).map(optionRow),
  ];
  return [
    `## \`guildhall ${spec.path}${args}\``,
    '',
    `${spec.summary[0]?.toUpperCase()}${spec.summary.slice(1)}. Uses ${USES[spec.uses]}.`,
    '',
    ...(rows.length > 0 ? [HEAD, ...rows, ''] : []),
    '```sh',
    ...spec.examples,
    '```',
    '',
  ].join('\n');
}

function optionRow({ flags, about, choices, many }: OptionSpec): string {
  const which = choices ? `: ${choices.join(', ')}` : '';
  return row(flags, `${about}${which}${many ? ' (may be repeated)' : ''}`);
}

function row(usage: string, about: string): string {
  return `| \`${usage}\` | ${about.replaceAll('|', '\\|').replaceAll('<', '\\<')} |`;
}

if (process.argv.includes('--update')) writeFileSync(PAGE, pageOf(COMMANDS));

describe('the reference page of the commands', () => {
  it('the reference page lists every command with its arguments, options and examples, and nothing else', () => {
    assert.equal(readFileSync(PAGE, 'utf8'), pageOf(COMMANDS));
  });

  it('every command has an example that names it', () => {
    for (const { path, examples } of COMMANDS) {
      assert.ok(
        examples.some((line) => line.includes(`guildhall ${path}`)),
        path,
      );
    }
  });
});
