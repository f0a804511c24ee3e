import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { faultIn, secretsKeyContract } from '../../../test/contracts/secrets-key.contract.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { createKeyCommand } from './key-command.ts';

function keyCommand(command: readonly string[] = ['cat', 'keys']) {
  const folder = tempFolder();
  const known: string[] = [];
  const key = createKeyCommand({
    command,
    cwd: folder.path,
    known: (text) => known.push(text),
  });
  const write = (text: string) => writeFileSync(folder.file('keys'), text);
  return { key, known, write, [Symbol.dispose]: folder[Symbol.dispose] };
}

secretsKeyContract('a command', () => keyCommand());

test('a command that fails is reported with its exit code and the first line it printed as an error', async () => {
  using failing = keyCommand(['sh', '-c', 'echo "vault is sealed" >&2; echo more >&2; exit 3']);
  assert.equal(
    faultIn(await failing.key.read()),
    'the command sh, which provides the key, failed (3): vault is sealed',
  );
});

test('a command that does not exist is reported', async () => {
  using missing = keyCommand(['no-such-command-of-guildhall']);
  assert.match(faultIn(await missing.key.read()), /failed \(ENOENT\)/);
});

test('the hall makes no key where a command provides it, and says how to add one', async () => {
  using command = keyCommand();
  for (const make of [command.key.create, command.key.addFirst]) {
    assert.match(faultIn(await make()), /let it print the new key/);
  }
});
