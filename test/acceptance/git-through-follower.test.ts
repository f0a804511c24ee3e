import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { startForgeEmulator } from '../../src/adapters/forge-emulator/emulator.ts';
import { PATH } from '../support/git-fixture.ts';
import { startHall } from '../support/hall.ts';
import { tempFolder } from '../support/temp-folder.ts';

const run = promisify(execFile);
const REPO = 'acme/shop';

describe('git through a node that does not lead', () => {
  test('a worker fetches and pushes its branch through a follower, and no other branch', async () => {
    using folder = tempFolder();
    await using forge = await startForgeEmulator({
      kind: 'github',
      folder: folder.file('forge'),
      path: PATH,
    });
    const { control } = forge;
    const credential = control.addPerson('hall');
    control.addOrganization('acme');
    await control.addRepository(REPO, { files: { 'README.md': 'shop\n' } });
    control.setRole(REPO, 'hall', 'write');
    const access = { url: `${forge.url}/${REPO}.git`, credential, expiresAt: null };
    const app = { gitAccessOf: async () => access };
    const projects = { shop: { repo: `github:${REPO}` } };
    await using leader = await startHall({ projects, app });
    const { hall } = leader;
    const asFollower = { ...hall, leading: () => undefined, leaderUrl: () => leader.url };
    const none = async () => assert.fail('a follower asks for no credential of the forge');
    await using follower = await startHall({ hall: asFollower, app: { gitAccessOf: none } });

    const [id] = await leader.post({ title: 'Add a.txt' });
    const worker = await leader.worker();
    const { body: claim } = await worker.caller.post('/v1/claims', { worker: worker.id });
    assert.equal(claim.task.id, id);
    const from = new URL(`${follower.url}/git/shop.git`);
    from.username = `${claim.run}.${claim.fence}`;
    from.password = worker.token;
    const clone = folder.file('clone');
    const env = { PATH, GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_NOSYSTEM: '1', HOME: folder.path };
    const git = (...args: string[]) => run('git', ['-C', clone, ...args], { env });
    await run('git', ['clone', '--quiet', from.href, clone], { env });
    const who = ['-c', 'user.name=Dev', '-c', 'user.email=dev@example.org'];
    await git(...who, 'commit', '--quiet', '--allow-empty', '-m', 'Nothing');
    const branch = `hall/dev/issue-${id?.replace(/^t-/, '')}`;
    await git('push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`);
    const { stdout } = await git('rev-parse', 'HEAD');
    assert.equal(control.tip(REPO, branch), stdout.trim());
    await assert.rejects(
      git('push', '--quiet', 'origin', 'HEAD:refs/heads/main'),
      /403|only the branch/,
    );
    assert.notEqual(control.tip(REPO, 'main'), stdout.trim());
  });
});
