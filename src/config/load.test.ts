import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { configMistakes } from '../../test/support/config-mistakes.ts';
import type { Config } from './config.ts';
import type { Flags } from './environment-overrides.ts';
import { loadConfig } from './load.ts';
import type { Environment } from './variable-references.ts';

const folder = mkdtempSync(join(tmpdir(), 'guildhall-config-'));
after(() => rmSync(folder, { recursive: true, force: true }));

interface LoadInput {
  readonly environment?: Environment;
  readonly flags?: Flags;
  readonly part?: 'all' | 'hall';
}

let count = 0;

function load(
  yaml: string | null,
  { environment = {}, flags = {}, part = 'all' }: LoadInput = {},
): Config {
  count += 1;
  const cwd = join(folder, String(count));
  mkdirSync(cwd);
  if (yaml !== null) writeFileSync(join(cwd, 'guildhall.yaml'), yaml);
  return loadConfig({ flags, environment, cwd, part });
}

function mistakesIn(yaml: string, input: LoadInput = {}): readonly string[] {
  return configMistakes(() => load(yaml, input));
}

const TYPE = 'git: { name: Dev, email: dev@example.org }, model: m';

/** The text of the file, and the mistakes reported for it. */
const MISTAKES: Readonly<Record<string, readonly [yaml: string, reported: readonly string[]]>> = {
  'a misspelt section gets a suggestion': [
    'hall: {}\nproject: []\n',
    ['guildhall.yaml:2:1 project: is not a known key (did you mean projects?)'],
  ],
  'a misspelt key deep in a list is reported with its line': [
    'projects:\n  - name: shop\n    maxworkers: 3\n',
    ['guildhall.yaml:3:5 projects[0].maxworkers: is not a known key (did you mean max_workers?)'],
  ],
  'a key unlike any known key is answered with the known keys': [
    'hall:\n  auth: { colour: red }\n',
    ['guildhall.yaml:2:11 hall.auth.colour: is not a known key (known keys: mode)'],
  ],
  'a key that another kind of source has is unknown here': [
    'projects:\n  - name: shop\n    sources:\n      - { kind: spiral-grove, fiter: x }\n',
    [
      'guildhall.yaml:4:31 projects[0].sources[0].fiter: is not a known key (known keys: kind, path)',
    ],
  ],
  'a missing required field of a type is reported by its path': [
    'types:\n  dev:\n    forge_user: hall-dev\n',
    [
      'guildhall.yaml:2:3 types.dev.git: is missing',
      'guildhall.yaml:2:3 types.dev.model: is missing',
    ],
  ],
  'a git identity without an e-mail address is reported by its path': [
    'types:\n  dev:\n    git: { name: Dev }\n    model: m\n',
    ['guildhall.yaml:3:5 types.dev.git.email: is missing'],
  ],
  'a value of the wrong type is a mistake': [
    'projects:\n  - name: shop\n    max_workers: many\n',
    ['guildhall.yaml:3:18 projects[0].max_workers: must be a number'],
  ],
  'a number out of range is a mistake': [
    'hall:\n  dead_after_seconds: 0.5\n',
    ['guildhall.yaml:2:23 hall.dead_after_seconds: must be at least 1'],
  ],
  'a value that is not one of the choices is answered with the choices': [
    'projects:\n  - { name: shop, merge_policy: always }\n',
    [
      'guildhall.yaml:2:33 projects[0].merge_policy: must be one of human, on-approval, force-at-max-rounds',
    ],
  ],
  'an unknown kind of source is answered with the known kinds': [
    'projects:\n  - name: shop\n    sources: [{ kind: jira }]\n',
    [
      'guildhall.yaml:3:23 projects[0].sources[0].kind: must be one of github-issues, forgejo-issues, gitea-issues, spiral-grove, spec-files, api',
    ],
  ],
  'a repository in no known form is a mistake': [
    'projects:\n  - { name: shop, repo: acme/shop }\n',
    [
      'guildhall.yaml:2:25 projects[0].repo: must be github:owner/name, <forge>:owner/name or file:path',
      'guildhall.yaml:2:25 projects[0].repo: names a forge that is not declared under forges (known: github, file)',
    ],
  ],
  'a repository on an undeclared forge is a mistake': [
    'projects:\n  - { name: shop, repo: gihub:acme/shop }\n',
    [
      'guildhall.yaml:2:25 projects[0].repo: names a forge that is not declared under forges (did you mean github?)',
    ],
  ],
  'two projects with the same name are a mistake': [
    'projects:\n  - name: shop\n  - name: shop\n',
    [
      'guildhall.yaml:3:11 projects[1].name: is already the name of projects[0]; each needs its own',
    ],
  ],
  'an approver that is not a declared type is a mistake': [
    `types: { dev: { ${TYPE} } }\nprojects:\n  - { name: shop, approvers: [rewiever] }\n`,
    ['guildhall.yaml:3:31 projects[0].approvers[0]: is not a declared type (known: dev)'],
  ],
  'a duration without a unit is a mistake': [
    `types:\n  dev: { ${TYPE}, label_wait: 30 }\n`,
    ['guildhall.yaml:2:76 types.dev.label_wait: must be a duration such as 90s, 30m, 2h or 7d'],
  ],
  'a heartbeat interval longer than dead_after_seconds is a mistake': [
    'hall: { heartbeat_seconds: 10, dead_after_seconds: 5 }\n',
    [
      'guildhall.yaml:1:28 hall.heartbeat_seconds: must be less than dead_after_seconds; otherwise workers would be declared dead between two heartbeats',
    ],
  ],
  'a section that is a list instead of a mapping is a mistake': [
    'hall: [1]\n',
    ['guildhall.yaml:1:7 hall: must be a mapping of keys to values'],
  ],
  'a file that is not a mapping is a mistake': [
    '- a\n- b\n',
    ['guildhall.yaml:1:1 must be a mapping of keys to values'],
  ],
  'a duplicate key is a mistake': [
    'hall:\n  data: a\n  data: b\n',
    ['guildhall.yaml:3:3 is not valid YAML: this key occurs twice'],
  ],
  'a variable that is not set is named with its key': [
    'hall:\n  public_url: $HALL_URL\n',
    ['guildhall.yaml:2:15 hall.public_url: the environment variable HALL_URL is not set'],
  ],
  'a secret whose variable is not set is named with its key': [
    'invokers:\n  - { handle: ada, credential: $ANTHROPIC_API_KEY }\n',
    [
      'guildhall.yaml:2:32 invokers[0].credential: the environment variable ANTHROPIC_API_KEY is not set',
    ],
  ],
};

describe('mistakes in the configuration are reported with file, line and path', () => {
  for (const [title, [yaml, reported]] of Object.entries(MISTAKES)) {
    it(title, () => {
      assert.deepEqual(mistakesIn(yaml), reported);
    });
  }

  it('invalid YAML is reported where it becomes invalid', () => {
    const [mistake] = mistakesIn('hall: {data: a\nprojects: []\n');
    assert.match(mistake ?? '', /^guildhall\.yaml:2:1 is not valid YAML: /);
  });

  it('all mistakes are reported at once, in the order of the file', () => {
    const found = mistakesIn(
      'hall:\n  lisen: 1\ninvokers:\n  - { handle: ada, credential: $NO_SUCH }\nprojects:\n  - { max_workers: 0 }\n  - { name: a }\n  - { name: a }\n',
    );
    assert.deepEqual(
      found.map((line) => line.split(' ').slice(0, 2).join(' ')),
      [
        'guildhall.yaml:2:3 hall.lisen:',
        'guildhall.yaml:4:32 invokers[0].credential:',
        'guildhall.yaml:6:5 projects[0].name:',
        'guildhall.yaml:6:20 projects[0].max_workers:',
        'guildhall.yaml:8:13 projects[2].name:',
      ],
    );
  });

  it('a mistake in a variable names the variable', () => {
    const environment = { GUILDHALL_LISTEN: 'here', GUILDHALL_DEAD_AFTER_SECONDS: 'soon' };
    assert.deepEqual(mistakesIn('', { environment }), [
      '$GUILDHALL_LISTEN hall.listen: must be host:port, such as 127.0.0.1:4600',
      '$GUILDHALL_DEAD_AFTER_SECONDS hall.dead_after_seconds: must be a number',
    ]);
  });

  it('a mistake in a flag names the flag', () => {
    assert.deepEqual(mistakesIn('', { flags: { listen: '4600' } }), [
      '--listen hall.listen: must be host:port, such as 127.0.0.1:4600',
    ]);
  });

  it('a named configuration file that does not exist is refused with the command that creates one', () => {
    const options = { flags: {}, environment: {}, cwd: folder, part: 'all' } as const;
    const message = 'none.yaml:1:1 does not exist; create one with: guildhall init';
    assert.throws(() => loadConfig({ ...options, config: 'none.yaml' }), { message });
    assert.throws(() => loadConfig({ ...options, config: '.' }), /^ConfigRefused: \/.*is a folder/);
  });
});

describe('precedence of flags, variables, file and defaults', () => {
  const yaml = 'hall: { listen: "127.0.0.1:1", data: ./stored }\n';

  it('without a configuration file the defaults apply', () => {
    const { hall, file } = load(null);
    assert.equal(file, null);
    assert.deepEqual(hall.listen, { host: '127.0.0.1', port: 4600 });
    assert.deepEqual([hall.heartbeat, hall.deadAfter], [180_000, 360_000]);
    assert.ok(hall.data.endsWith('/data'));
  });

  it('a flag overrides a variable, a variable the file, and the file the default', () => {
    const environment = { GUILDHALL_LISTEN: '127.0.0.1:2' };
    const flags = { listen: '127.0.0.1:3' };
    assert.equal(load(yaml).hall.listen.port, 1);
    assert.equal(load(yaml, { environment }).hall.listen.port, 2);
    assert.equal(load(yaml, { environment, flags }).hall.listen.port, 3);
  });

  it('PORT changes only the port, and GUILDHALL_LISTEN overrides it', () => {
    assert.deepEqual(load(yaml, { environment: { PORT: '8080' } }).hall.listen, {
      host: '127.0.0.1',
      port: 8080,
    });
    const both = { PORT: '8080', GUILDHALL_LISTEN: '[::1]:2' };
    assert.deepEqual(load(yaml, { environment: both }).hall.listen, { host: '::1', port: 2 });
  });

  it('the default heartbeat interval is half of dead_after_seconds', () => {
    assert.equal(load('hall: { dead_after_seconds: 1 }').hall.heartbeat, 500);
  });

  it('loading only the hall section needs no secrets of other sections', () => {
    const text = `${yaml}invokers: [{ handle: ada, credential: $NOT_SET }]\n`;
    assert.equal(load(text, { part: 'hall' }).hall.listen.port, 1);
  });
});

describe('where the hall may listen', () => {
  it('an address other than loopback is refused, and the message says what to set', () => {
    const [mistake = ''] = mistakesIn('hall:\n  listen: 0.0.0.0:4600\n');
    assert.match(mistake, /^guildhall\.yaml:2:11 hall\.listen: .*auth\.mode to tokens, or to none/);
  });

  it('an address other than loopback is allowed with auth.mode tokens or none, with a warning about plain HTTP', () => {
    const tokens = load('hall: { listen: "0.0.0.0:1", auth: { mode: tokens } }');
    const none = load('hall: { listen: "0.0.0.0:1", auth: { mode: none } }');
    assert.match(tokens.warnings[0] ?? '', /plain HTTP/);
    assert.equal(tokens.warnings.length, 1);
    assert.match(none.warnings[1] ?? '', /has full access/);
  });
});

describe('secrets in the configuration', () => {
  const KEY = 'sk-very-secret-0123456789';
  const yaml = 'invokers:\n  - { handle: ada, credential: $MODEL_KEY }\n';

  it('a literal secret is refused with the reason, which does not repeat the secret', () => {
    const [mistake = ''] = mistakesIn(`invokers:\n  - { handle: ada, credential: ${KEY} }\n`);
    assert.match(mistake, /^guildhall\.yaml:2:32 invokers\[0\]\.credential: is a secret/);
    assert.ok(!mistake.includes(KEY));
  });

  it('a secret reference is resolved from the environment and shown as a reference', () => {
    const config = load(yaml, { environment: { MODEL_KEY: KEY } });
    assert.equal(config.secrets.get('$MODEL_KEY'), KEY);
    assert.ok(!JSON.stringify({ ...config, secrets: null }).includes(KEY));
    assert.equal(config.shown.invokers[0]?.credential, '$MODEL_KEY');
  });

  it('a reference that ends in _FILE stands for the content of the file that the variable names', () => {
    const path = join(folder, 'model-key');
    writeFileSync(path, `${KEY}\n`);
    const config = load(yaml.replace('MODEL_KEY', 'MODEL_KEY_FILE'), {
      environment: { MODEL_KEY_FILE: path },
    });
    assert.equal(config.secrets.get('$MODEL_KEY_FILE'), KEY);
  });

  it('a secret file that cannot be read is reported without its path', () => {
    const found = mistakesIn(yaml.replace('MODEL_KEY', 'MODEL_KEY_FILE'), {
      environment: { MODEL_KEY_FILE: '/nowhere/key' },
    });
    assert.deepEqual(found, [
      'guildhall.yaml:2:32 invokers[0].credential: the file that MODEL_KEY_FILE names could not be read (ENOENT)',
    ]);
  });

  it('a database password is refused in the file, and hidden when it comes from a variable', () => {
    const url = `postgres://hall:${KEY}@db/hall`;
    const [mistake = ''] = mistakesIn(`hall: { store: "${url}" }`);
    assert.match(mistake, /hall\.store: contains a password/);
    const byName = load('hall: { store: $DB }', { environment: { DB: url } });
    const byVariable = load('', { environment: { GUILDHALL_STORE: url } });
    assert.equal(byName.shown.hall.store, '$DB');
    assert.equal(byVariable.shown.hall.store, '$GUILDHALL_STORE');
    assert.deepEqual(byVariable.hall.store, { kind: 'postgres', url });
    assert.deepEqual([...byVariable.secrets.values()], [KEY]);
  });
});

describe('what the file declares', () => {
  it('each declared project, type and invoker records its file and line', () => {
    const { declaration } = load(
      `types:\n  dev: { ${TYPE} }\ninvokers:\n  - { handle: ada, credential: $K }\nprojects:\n  - name: shop\n  - name: bank\n`,
      { environment: { K: 'a-secret-value' } },
    );
    const lines = (entries: readonly { name: string; declared: unknown }[]) =>
      entries.map(({ name, declared }) => [name, declared]);
    assert.deepEqual(lines(declaration.types), [['dev', { file: 'guildhall.yaml', line: 2 }]]);
    assert.deepEqual(lines(declaration.invokers), [['ada', { file: 'guildhall.yaml', line: 4 }]]);
    assert.deepEqual(lines(declaration.projects), [
      ['shop', { file: 'guildhall.yaml', line: 6 }],
      ['bank', { file: 'guildhall.yaml', line: 7 }],
    ]);
  });

  it('a file without types declares the built-in types boss, dev and reviewer', () => {
    const { types } = load('projects: [{ name: shop }]').declaration;
    assert.deepEqual(
      types.map(({ name, declared }) => [name, declared]),
      [
        ['boss', null],
        ['dev', null],
        ['reviewer', null],
      ],
    );
  });

  it('a file: repository path is relative to the configuration file', () => {
    const [project] = load('projects: [{ name: shop, repo: "file:../shop" }]').declaration.projects;
    assert.equal(project?.settings.repo, `file:${join(folder, 'shop')}`);
  });
});
