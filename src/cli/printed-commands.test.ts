import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OPERATOR_COMMANDS } from '../domain/operator-command.ts';
import { COMMANDS } from './commands.ts';
import { ParsedInput } from './parsed-input.ts';
import { createPrintedCommands, type PrintedCommands } from './printed-commands.ts';

function printed(
  options: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>> = {},
): Pick<PrintedCommands, 'command' | 'localized'> {
  const input = new ParsedInput([], options, () => process.stdin);
  const context = { environment, cwd: '/srv', script: '/usr/bin/guildhall' };
  const { command, localized } = createPrintedCommands({ commands: COMMANDS, context, input });
  // Where the tests run, the launcher may have any path.
  const named = (text: string) => text.replaceAll(/node \S+\/bin\/guildhall\.js/g, 'guildhall');
  return {
    command: (path, ...rest) => named(command(path, ...rest)),
    localized: (text) => named(localized(text)),
  };
}

describe('printed commands', () => {
  it('a printed command carries the options that selected the hall, if it has them', () => {
    const { command } = printed({
      config: '../my hall/guildhall.yaml',
      url: 'http://db:1',
      data: 'd',
    });
    const folder = "--config '../my hall/guildhall.yaml' --data d";
    assert.equal(command('task why', 't-1'), `guildhall task why --url http://db:1 ${folder} t-1`);
    assert.equal(command('restore', 'x.db'), `guildhall restore ${folder} x.db`);
    assert.equal(command('init'), 'guildhall init');
  });

  it('a printed command never carries a token', () => {
    assert.equal(printed({ token: 'secret' }).command('board'), 'guildhall board');
  });

  it('every command in a sentence of the hall gets the options', () => {
    const { localized } = printed({ data: 'd' });
    assert.equal(
      localized('to merge it: guildhall thread merge th-1; guildhall stays; see guildhall.yaml'),
      'to merge it: guildhall thread merge --data d th-1; guildhall stays; see guildhall.yaml',
    );
    assert.equal(localized('/usr/guildhall start'), '/usr/guildhall start');
  });

  it('every command that the hall names is a command of the CLI', () => {
    const paths = COMMANDS.map(({ path }) => path);
    assert.deepEqual(
      OPERATOR_COMMANDS.filter((command) => !paths.includes(command)),
      [],
    );
  });

  it('relative paths become absolute where npm was started in another folder', () => {
    const npm = { npm_lifecycle_event: 'start', INIT_CWD: '/home' };
    const { command } = printed({ config: '../hall.yaml' }, npm);
    assert.equal(command('start'), 'guildhall start --config /hall.yaml');
  });
});
