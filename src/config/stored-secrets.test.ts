import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { configMistakes } from '../../test/support/config-mistakes.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { loadConfig } from './load.ts';
import type { Environment } from './variable-references.ts';

interface Input {
  readonly environment?: Environment;
  readonly data?: string;
}

function load(yaml: string | null, { environment = {}, data }: Input = {}) {
  using folder = tempFolder();
  const cwd = folder.path;
  if (yaml !== null) writeFileSync(folder.file('guildhall.yaml'), yaml);
  const config = loadConfig({ flags: { data }, environment, cwd, part: 'all' });
  return { ...config, cwd };
}

function mistakesIn(yaml: string, input: Input = {}): readonly string[] {
  return configMistakes(() => load(yaml, input));
}

describe('where the key of the stored secrets is', () => {
  it('the key file is beside the configuration file by default', () => {
    const { hall, cwd } = load('hall: { data: /srv/hall }\n');
    assert.deepEqual(hall.secretsKey, { kind: 'file', path: join(cwd, 'hall.key') });
  });

  it('the key file of a hall without a configuration file is beside its data folder, from wherever it is started', () => {
    const { hall, cwd } = load(null);
    assert.deepEqual(hall.secretsKey, { kind: 'file', path: join(cwd, 'data.key') });
    const elsewhere = load(null, { data: '/srv/hall' });
    assert.deepEqual(elsewhere.hall.secretsKey, { kind: 'file', path: '/srv/hall.key' });
  });

  it('the key comes from the file, the variable or the command that the configuration names', () => {
    const { hall, cwd } = load('hall: { secrets_key: keys/hall.key }\n');
    assert.deepEqual(hall.secretsKey, { kind: 'file', path: join(cwd, 'keys/hall.key') });
    const environment = { GUILDHALL_SECRETS_KEY: '/run/key' };
    const set = load('hall: { secrets_key: hall.key }\n', { environment });
    assert.deepEqual(set.hall.secretsKey, { kind: 'file', path: '/run/key' });
    const printed = load('hall: { secrets_key: { command: [vault, read] } }\n');
    const command = ['vault', 'read'];
    assert.deepEqual(printed.hall.secretsKey, { kind: 'command', command, cwd: printed.cwd });
  });

  it('a key file in the data folder is refused', () => {
    for (const path of ['data/hall.key', './data/deep/hall.key', 'data']) {
      const [mistake] = mistakesIn(`hall:\n  secrets_key: ${path}\n`);
      assert.match(
        mistake ?? '',
        /^guildhall\.yaml:2:16 hall\.secrets_key: lies in the data folder/,
      );
    }
    assert.deepEqual(mistakesIn('hall: { secrets_key: data.key }\n'), []);
  });

  it('a variable that names the key file is not read for its content, which would be taken for a path and shown', () => {
    const environment = { KEY_FILE: '/dev/null', GUILDHALL_SECRETS_KEY_FILE: '/dev/null' };
    assert.match(
      mistakesIn('hall: { secrets_key: $KEY_FILE }\n', {
        environment: { KEY_FILE: '/dev/null' },
      }).join(),
      /hall\.secrets_key: must be the path of the key file/,
    );
    assert.match(
      mistakesIn('hall: {}\n', { environment }).join(),
      /GUILDHALL_SECRETS_KEY_FILE hall\.secrets_key: is not read: set the variable without _FILE/,
    );
  });
});

const USES = `
invokers: [{ handle: ada, credential: secret:anthropic }, { handle: ben, credential: $BEN }]
forges:
  github: { app: { id: 1, key: secret:app }, webhook_secret: secret:hook }
  forge: { kind: forgejo, url: "https://forge.example", token: secret:forge.token }
`;

describe('a reference to a stored secret', () => {
  it('the entries that use a stored secret are known by name, kind and setting', () => {
    const { secretUses, secrets, accounts } = load(USES, { environment: { BEN: 'bens-own-key' } });
    assert.deepEqual(
      secretUses.map(({ name, kind, owner, setting }) => [name, kind, owner, setting].join(' ')),
      [
        'anthropic invoker_credential invoker ada credential',
        'hook webhook_secret forge github webhook_secret',
        'app app_key forge github app.key',
        'forge.token forge_token forge forge token',
      ],
    );
    assert.deepEqual([...secrets], [['$BEN', 'bens-own-key']]);
    assert.deepEqual(
      [...accounts].map(([handle, { reference }]) => [handle, reference]),
      [
        ['ada', 'secret:anthropic'],
        ['ben', '$BEN'],
      ],
    );
  });

  it('a reference with a bad name, and a literal value, are refused with every way to write it', () => {
    for (const value of ['secret:', 'secret:Big', 'secret:rotate', 'sk-ant-literal']) {
      const [mistake = ''] = mistakesIn(`invokers: [{ handle: ada, credential: "${value}" }]\n`);
      assert.match(
        mistake,
        /write \$NAME.*or secret:NAME and store it with: guildhall secrets set/,
      );
      assert.ok(!mistake.includes('literal'));
    }
  });

  it('a secret for agents comes from the environment only', () => {
    const mistakes = mistakesIn(
      'types: { dev: { git: { name: D, email: d@example.org }, model: m, command: [x], network: [a.example], secret_env: { KEY: secret:x } } }\n',
    );
    assert.match(mistakes.join(), /types\.dev\.secret_env\.KEY: is a secret.*write \$NAME/);
  });
});
