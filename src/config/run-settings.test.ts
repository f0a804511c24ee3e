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

describe('secret_env', () => {
  const AGENT = `${DEV}, command: [agent], needs_model: false`;
  const VALUE = 'a-key-of-the-agent';
  const hall = (type: string, more = '') => `types:\n  dev: { ${type} }\n${more}`;
  const SECRET = 'network: [api.example.org], secret_env: { LLM_API_KEY: $LLM_API_KEY }';
  const environment = { LLM_API_KEY: VALUE };

  it('secret_env is kept by reference, redacted, and said to be readable by its agents', () => {
    const config = load(
      hall(`${AGENT}, ${SECRET}`, "projects: [{ name: shop, network: ['*.example.org'] }]\n"),
      environment,
    );
    assert.deepEqual(config.declaration.types[0]?.settings.secretEnv, {
      LLM_API_KEY: '$LLM_API_KEY',
    });
    assert.doesNotMatch(JSON.stringify([config.declaration, config.shown]), new RegExp(VALUE));
    assert.deepEqual([...config.secrets.values()], [VALUE]);
    const about = config.warnings.filter((warning) => warning.startsWith('types.dev.secret_env'));
    assert.deepEqual(about, [
      'types.dev.secret_env: its agents can read the secrets in secret_env (LLM_API_KEY) and send them to the hosts that they reach (api.example.org)',
    ]);
  });

  const REFUSED: Readonly<
    Record<string, readonly [yaml: string, environment: Environment, path: RegExp]>
  > = {
    'a value written in the file': [
      hall(`${AGENT}, network: [], secret_env: { LLM_API_KEY: abc }`),
      {},
      /^types\.dev\.secret_env\.LLM_API_KEY: is a secret, and secrets do not belong in this file/,
    ],
    'a type without a command': [
      hall(`${DEV}, ${SECRET}`),
      environment,
      /^types\.dev\.secret_env: is only for a type with a command/,
    ],
    'a type without a network list': [
      hall(`${AGENT}, secret_env: { LLM_API_KEY: $LLM_API_KEY }`),
      environment,
      /^types\.dev\.secret_env: needs network/,
    ],
    'a hall without authentication': [
      hall(`${AGENT}, ${SECRET}`, 'hall: { auth: { mode: none } }\n'),
      environment,
      /^types\.dev\.secret_env: needs hall\.auth\.mode/,
    ],
    'the credential of an invoker': [
      hall(`${AGENT}, ${SECRET}`, 'invokers: [{ handle: ada, credential: $LLM_API_KEY }]\n'),
      environment,
      /^types\.dev\.secret_env\.LLM_API_KEY: is a credential of an invoker/,
    ],
    'the value of an invoker under another name': [
      hall(`${AGENT}, ${SECRET}`, 'invokers: [{ handle: ada, credential: $OTHER }]\n'),
      { ...environment, OTHER: VALUE },
      /^types\.dev\.secret_env\.LLM_API_KEY: is a credential of an invoker/,
    ],
    'the name that an invoker uses, with another value': [
      hall(
        `${AGENT}, network: [], secret_env: { ANTHROPIC_API_KEY: $LLM_API_KEY }`,
        'invokers: [{ handle: ada, credential: $ANTHROPIC_API_KEY_FILE }]\n',
      ),
      { ...environment, ANTHROPIC_API_KEY_FILE: import.meta.filename },
      /^types\.dev\.secret_env\.ANTHROPIC_API_KEY: is a credential of an invoker/,
    ],
    'a variable of the gateway in a type that uses it': [
      hall(
        `${DEV}, command: [agent], network: [], secret_env: { ANTHROPIC_API_KEY: $LLM_API_KEY }`,
      ),
      environment,
      /^types\.dev\.secret_env\.ANTHROPIC_API_KEY: is set by the hall/,
    ],
    'a variable that the cell needs': [
      hall(`${AGENT}, network: [], secret_env: { LD_PRELOAD: $LLM_API_KEY }`),
      environment,
      /^types\.dev\.secret_env\.LD_PRELOAD: would load other code/,
    ],
    'a value that is too short to redact': [
      hall(`${AGENT}, ${SECRET}`),
      { LLM_API_KEY: 'short' },
      /^types\.dev\.secret_env\.LLM_API_KEY: is shorter than 8 characters/,
    ],
    'a secret that env of a project reveals': [
      hall(`${AGENT}, ${SECRET}`, 'projects: [{ name: shop, env: { HINT: $LLM_API_KEY } }]\n'),
      environment,
      /^projects\[0\]\.env\.HINT: contains a secret, and env is shown on the board/,
    ],
  };
  for (const [what, [yaml, variables, mistake]] of Object.entries(REFUSED)) {
    it(`secret_env is refused with the reason: ${what}`, () => {
      const mistakes = mistakesIn(yaml, variables);
      assert.equal(mistakes.length, 1, mistakes.join('\n'));
      assert.match(mistakes[0] ?? '', mistake);
    });
  }
});

describe('time_limits', () => {
  it('GH-011f: the time limits of a project are durations by size', () => {
    const project = (limits: string) => `projects:\n  - { name: shop, time_limits: ${limits} }\n`;
    const { settings } = load(project('{ L: 8h, XS: 10m }')).declaration.projects[0] ?? {};
    assert.deepEqual(settings?.timeLimits, { L: 28_800_000, XS: 600_000 });
    assert.deepEqual(mistakesIn(project('{ L: 8 hours }')), [
      'projects[0].time_limits.L: must be a duration such as 90s, 30m, 2h or 7d',
    ]);
    assert.deepEqual(mistakesIn(project('{ huge: 8h }')), [
      'projects[0].time_limits.huge: is not a known key (known keys: XS, S, M, L, XL)',
    ]);
  });
});
