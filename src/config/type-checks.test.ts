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
