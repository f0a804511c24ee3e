import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { faultInVariable, reservedName } from './env.ts';

describe('variables that an operator sets for agents', () => {
  test('mirrors, CA files and flags may be set', () => {
    for (const [name, value] of [
      ['npm_config_registry', 'https://mirror.example/npm'],
      ['PIP_INDEX_URL', 'https://mirror.example/simple'],
      ['NODE_EXTRA_CA_CERTS', '/etc/company.pem'],
      ['GIT_SSL_CAINFO', '/etc/company.pem'],
      ['NODE_OPTIONS', '--max-old-space-size=4096 --use-system-ca'],
      ['TZ', 'Europe/Berlin'],
      ['JAVA_TOOL_OPTIONS', '-Xmx2g'],
      ['TOKENIZERS_PARALLELISM', 'false'],
    ] as const)
      assert.equal(faultInVariable(name, value), null, name);
  });

  test('what the cell needs for its isolation cannot be set', () => {
    for (const name of [
      ...['PATH', 'HOME', 'SHELL', 'PWD', 'GUILDHALL_CELL', 'GUILDHALL_RESULT'],
      ...['HTTP_PROXY', 'https_proxy', 'ALL_PROXY', 'no_proxy', 'npm_config_https_proxy'],
      ...['npm_config_proxy', 'npm_config_noproxy', 'GIT_DIR', 'GIT_SSH_COMMAND'],
      ...['GIT_CONFIG_COUNT', 'LD_PRELOAD', 'LD_LIBRARY_PATH', 'DYLD_INSERT_LIBRARIES'],
      ...['BASH_ENV', 'ENV', 'IFS', 'SHELLOPTS', 'LANG', 'CI'],
    ])
      assert.notEqual(reservedName(name), null, name);
  });

  test('NODE_OPTIONS may not load code', () => {
    for (const value of ['--require ./x.js', '-r x', '--import=./x.mjs', '--inspect', '-'])
      assert.match(faultInVariable('NODE_OPTIONS', value) ?? '', /may only tune node/, value);
  });

  test('secrets are refused, because these variables are shown on the board', () => {
    for (const [name, value] of [
      ['GITHUB_TOKEN', 'x'],
      ['OPENAI_API_KEY', 'x'],
      ['AWS_SECRET_ACCESS_KEY', 'x'],
      ['npm_config__authToken', 'x'],
      ['PIP_INDEX_URL', 'https://ada:lovelace@mirror.example/simple'],
    ] as const)
      assert.match(faultInVariable(name, value) ?? '', /looks like a secret/, name);
  });
});
