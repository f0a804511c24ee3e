import type { PlayedStory } from '../emulated-gitea-story.ts';
import { clientOf, hookReceiver } from '../forge-fixture.ts';
import { playGiteaStory, type StoryForge } from '../gitea-story.ts';
import { tempFolder } from '../temp-folder.ts';
import { startRealGitea } from './server.ts';

/** The story on a real Gitea with its runner. */
export async function playOnRealGitea(built: string): Promise<PlayedStory> {
  using temp = tempFolder();
  await using receiver = await hookReceiver();
  await using gitea = await startRealGitea(built);
  const { url, apiUrl } = gitea;
  const person = (token: string) => ({ token, client: clientOf(apiUrl, token, {}) });
  const people = {
    boss: person(gitea.token),
    dev: person(await gitea.addUser('dev')),
    review: person(await gitea.addUser('review')),
    stranger: person(await gitea.addUser('stranger')),
  };
  const boss = people.boss.client;
  await boss('POST', '/orgs', { username: 'acme' });
  const repository = { name: 'shop', auto_init: true, default_branch: 'main', private: false };
  await boss('POST', '/orgs/acme/repos', repository);
  for (const login of ['dev', 'review']) {
    await boss('PUT', `/repos/acme/shop/collaborators/${login}`, { permission: 'write' });
  }
  await gitea.startRunner();
  const { received } = receiver;
  const forge: StoryForge = { url, folder: temp.path, hookUrl: receiver.url, received, people };
  const calls = await playGiteaStory(forge);
  await receiver.until(({ name }) => name === 'delete');
  return { calls, deliveries: received };
}
