import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { DEFAULT_TYPE_SETTINGS } from '../domain/pool.ts';
import type { Config } from './config.ts';
import { loadConfig } from './load.ts';

const folder = mkdtempSync(join(tmpdir(), 'guildhall-config-'));
after(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;

describe('agent types from a config/agents.json of claude-hooks', () => {
  const JSON_TEXT = `{
  "dev": {
    "forgeUser": "hall-dev",
    "tokenPath": "/run/secrets/dev",
    "gitName": "Dev",
    "gitEmail": "dev@example.org",
    "gpgKey": "ABC",
    "branchPrefix": "claude",
    "defaultModel": "m",
    "defaultImage": "img"
  },
  "reviewer": { "git": { "name": "R" } }
}`;

  function withAgents(json: string): Config {
    count += 1;
    const cwd = join(folder, String(count));
    mkdirSync(join(cwd, 'config'), { recursive: true });
    writeFileSync(join(cwd, 'guildhall.yaml'), 'types: config/agents.json\n');
    writeFileSync(join(cwd, 'config/agents.json'), json);
    return loadConfig({ flags: {}, environment: {}, cwd, part: 'all' });
  }

  it('a config/agents.json is read as the types section', () => {
    const text = JSON_TEXT.replace(
      '{ "name": "R" }',
      '{ "name": "R", "email": "r@x.org" }, "model": "m"',
    );
    const [dev, reviewer] = withAgents(text).declaration.types;
    assert.deepEqual(dev, {
      name: 'dev',
      declared: { file: 'config/agents.json', line: 2 },
      settings: {
        ...DEFAULT_TYPE_SETTINGS,
        git: { name: 'Dev', email: 'dev@example.org' },
        model: 'm',
        forgeUser: 'hall-dev',
        tokenPath: '/run/secrets/dev',
        gpgKey: 'ABC',
        branchPrefix: 'claude',
        image: 'img',
      },
    });
    assert.equal(reviewer?.declared?.line, 12);
  });

  it('a missing required field is reported with its line in config/agents.json', () => {
    assert.throws(() => withAgents(JSON_TEXT), {
      message:
        'config/agents.json:12:3 types.reviewer.model: is missing\nconfig/agents.json:12:17 types.reviewer.git.email: is missing',
    });
  });

  const WILD = `{
  "forgejo_url": "https://forge.example",
  "webhook_secret_file": "secrets/webhook",
  "forgejo_mcp_command": "forgejo-mcp",
  "repos": ["acme/shop", "acme/other"],
  "types": {
    "dev": {
      "forgejo_user": "hall-dev",
      "token_file": "secrets/dev.token",
      "git_name": "Dev",
      "git_email": "dev@example.org",
      "branch_prefix": "claude",
      "default_model": "m",
      "default_container_image": "claude-hooks/worker",
      "default_system_prompt": "You are a developer.",
      "gpg_key_file": "/keys/dev.asc",
      "max_parallel": 3
    }
  }
}`;

  it('the whole format of claude-hooks is read, and what means nothing here is a warning', () => {
    const { declaration, warnings } = withAgents(WILD);
    const [dev] = declaration.types;
    assert.equal(dev?.settings.image, 'claude-hooks/worker');
    assert.equal(dev?.settings.gpgKey, '/keys/dev.asc');
    assert.equal(dev?.settings.tokenPath, join(folder, String(count), 'secrets/dev.token'));
    const said = warnings.join('\n');
    for (const text of [
      /config\/agents\.json: webhook_secret_file is not used: .*forge add/,
      /forgejo_url is not used: .*under forges/,
      /forgejo_mcp_command is not used/,
      /types\.dev\.default_system_prompt is not used: .*roster/,
      /types\.dev\.max_parallel is not used: there is no such setting/,
      /repos lists acme\/shop, which no project has/,
      /repos lists acme\/other, which no project has/,
    ]) {
      assert.match(said, text);
    }
  });

  it('a type without an account is refused where the file names a Forgejo', () => {
    const text = WILD.replace('"forgejo_user": "hall-dev",', '').replace(
      '"token_file": "secrets/dev.token",',
      '',
    );
    assert.throws(() => withAgents(text), {
      message:
        /types\.dev\.forgejo_user: is missing: the forge of this file needs it\n.*types\.dev\.token_file: is missing/,
    });
    assert.doesNotThrow(() => withAgents(text.replace(/"forgejo_url".*\n/, '')));
  });
});
