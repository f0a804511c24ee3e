import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { tempFolder } from '../../test/support/temp-folder.ts';
import type { Config } from './config.ts';
import { loadConfig } from './load.ts';
import { ConfigRefused } from './mistake.ts';
import type { Environment } from './variable-references.ts';

const DEV = 'git: { name: Dev, email: dev@example.org }, model: m';

function load(yaml: string, environment: Environment = {}): Config {
  using folder = tempFolder();
  writeFileSync(folder.file('guildhall.yaml'), yaml);
  return loadConfig({ flags: {}, environment, cwd: folder.path, part: 'all' });
}

function mistakesIn(yaml: string, environment: Environment = {}): readonly string[] {
  try {
    load(yaml, environment);
  } catch (error) {
    if (!(error instanceof ConfigRefused)) throw error;
    return error.mistakes.map(({ path, message }) => `${path}: ${message}`);
  }
  return [];
}

describe('needs_model', () => {
  it('needs_model: false is refused for a type that has no command', () => {
    assert.deepEqual(mistakesIn(`types:\n  dev: { ${DEV}, needs_model: false }\n`), [
      'types.dev.needs_model: can be false only for a type with a command: an agent on the Agent SDK is a model',
    ]);
    const { declaration } = load(
      `types:\n  dev: { ${DEV}, command: [./format], needs_model: false }\n`,
    );
    assert.equal(declaration.types[0]?.settings.needsModel, false);
  });
});

describe('env', () => {
  it('env of types and projects is read, with CA files relative to the configuration file', () => {
    using folder = tempFolder();
    const path = folder.file('guildhall.yaml');
    writeFileSync(
      path,
      `types:\n  dev: { ${DEV}, env: { npm_config_registry: $MIRROR, SSL_CERT_FILE: ca/a.pem } }\nprojects:\n  - { name: shop, env: { NODE_EXTRA_CA_CERTS: /etc/b.pem } }\n`,
    );
    const environment = { MIRROR: 'https://mirror.example/npm', NODE_EXTRA_CA_CERTS: 'own.pem' };
    const config = loadConfig({ flags: {}, environment, cwd: folder.path, part: 'all' });
    const { types, projects } = config.declaration;
    assert.deepEqual(types[0]?.settings.env, {
      npm_config_registry: 'https://mirror.example/npm',
      SSL_CERT_FILE: folder.file('ca/a.pem'),
    });
    assert.deepEqual(projects[0]?.settings.env, { NODE_EXTRA_CA_CERTS: '/etc/b.pem' });
    assert.deepEqual(config.caVariables, { NODE_EXTRA_CA_CERTS: folder.file('own.pem') });
  });

  it('a variable that the cell needs, or that looks like a secret, is refused with the reason', () => {
    assert.deepEqual(
      mistakesIn(
        `types:\n  dev: { ${DEV}, env: { PATH: /x, ANTHROPIC_BASE_URL: 'http://x' } }\nprojects:\n  - { name: shop, env: { https_proxy: x, NPM_TOKEN: z } }\n`,
      ),
      [
        'types.dev.env.PATH: is set by the cell',
        'types.dev.env.ANTHROPIC_BASE_URL: is set by the hall, unless the type has needs_model: false',
        'projects[0].env.https_proxy: is set by the cell, whose only network is its own proxy; list the hosts under network instead',
        'projects[0].env.NPM_TOKEN: looks like a secret, and env is shown on the board; secrets for a command belong in secret_env of its type',
      ],
    );
    assert.deepEqual(mistakesIn('projects:\n  - { name: shop, env: { A-B: y } }\n'), [
      'projects[0].env.A-B: must be the name of an environment variable',
    ]);
  });
});

describe('network of a type', () => {
  const hall = (network: string) =>
    `types:\n  boss: { ${DEV} }\n  reviewer: { ${DEV} }\n  dev: { ${DEV}, network: ${network} }\nprojects:\n  - { name: shop, network: ['*.example.org'] }\n`;

  it('GH-063b: the hosts of a type are read, and hosts that no project allows get a warning', () => {
    const config = load(hall('[api.example.org]'));
    assert.deepEqual(config.declaration.types[2]?.settings.network, ['api.example.org']);
    assert.deepEqual(config.warnings, []);
    assert.deepEqual(load(hall('[api.example.com]')).warnings, [
      'types.dev.network: no project allows any of these hosts, so its agents reach none; list them under network of the project too',
    ]);
    assert.equal(load(`types:\n  dev: { ${DEV} }\n`).declaration.types[0]?.settings.network, null);
  });
});
