import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { HallFixture } from '../support/hall-fixture.ts';
import { HallInProcess } from '../support/hall-in-process.ts';
import { guildhall } from './cli-command.ts';

const DEV = {
  forgejo_user: 'hall-dev',
  token_file: 'secrets/dev.token',
  git_name: 'Dev Elop',
  git_email: 'dev@example.org',
  branch_prefix: 'claude',
  default_model: 'claude-sonnet-4-6',
  default_container_image: 'claude-hooks/worker',
  default_system_prompt: 'You are a developer.',
  gpg_key_file: 'keys/dev.asc',
};

/** A hall whose types are in a file of claude-hooks. */
async function hallWith(types: Readonly<Record<string, object>>): Promise<HallInProcess> {
  const hall = await HallInProcess.create({ projects: { shop: 1 } });
  const file = JSON.parse(readFileSync(hall.config, 'utf8'));
  const folder = dirname(hall.config);
  mkdirSync(join(folder, 'config'), { recursive: true });
  const json = {
    forgejo_url: 'https://forge.example',
    webhook_secret_file: 'secrets/webhook',
    forgejo_mcp_command: 'forgejo-mcp',
    repos: ['acme/elsewhere'],
    types,
  };
  writeFileSync(join(folder, 'config/agents.json'), JSON.stringify(json, null, 2));
  writeFileSync(hall.config, JSON.stringify({ ...file, types: 'config/agents.json' }));
  return hall;
}

describe('types from a config/agents.json of claude-hooks', () => {
  it('CH-030b: a hall starts with the types of the file, its agents use them, and what it cannot use is a warning', async () => {
    await using hall = await hallWith({ dev: { ...DEV, colour: 'blue' } });
    await hall.start();
    using fixture = new HallFixture(hall);
    await fixture.post('/v1/tasks', [{ project: 'shop', title: 'Sell tea', skill: 'implement' }]);
    const worker = await fixture.worker({ instance: 'dev-default' });
    const { run } = await worker.claimed();
    const { body: brief } = await worker.caller.get(`/v1/runs/${run}/brief`);
    const { agent, branch } = brief;
    assert.equal(agent.model, 'claude-sonnet-4-6');
    assert.deepEqual(agent.git, { name: 'Dev Elop', email: 'dev@example.org' });
    assert.equal(agent.gpg_key, join(dirname(hall.config), 'keys/dev.asc'));
    assert.match(branch, /^claude\//);
    const { code, stdout, stderr } = await guildhall(
      ['config', 'check', '--json', '--config', hall.config],
      { cwd: hall.folder },
    );
    assert.equal(code, 0, stderr);
    const warnings = JSON.parse(stdout).warnings.join('\n');
    assert.match(warnings, /types\.dev\.colour is not used: there is no such setting/);
    assert.match(warnings, /repos lists acme\/elsewhere, which no project has/);
    assert.match(warnings, /types\.dev\.default_system_prompt is not used/);
  });

  it('CH-030c: a hall does not start without a git identity or model, nor without the account that the forge needs, and says where', async () => {
    const { git_email: _, default_model: __, forgejo_user: ___, token_file: ____, ...rest } = DEV;
    await using hall = await hallWith({ dev: rest });
    await assert.rejects(hall.start(), (fault: Error) => {
      for (const field of ['forgejo_user', 'token_file', 'model', 'git.email']) {
        assert.match(
          fault.message,
          new RegExp(`agents\\.json:\\d+:\\d+ types\\.dev\\.${field}: is missing`),
        );
      }
      return true;
    });
  });
});
