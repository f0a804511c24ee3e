import type { CiScript } from '../../src/adapters/forge-emulator/state/ci-script.ts';
import { forgeFixture, type Received } from './forge-fixture.ts';
import {
  playGiteaStory,
  type RecordedCall,
  STORY_FILES,
  type StoryForge,
  type StoryPerson,
} from './gitea-story.ts';

export interface PlayedStory {
  readonly calls: readonly RecordedCall[];
  readonly deliveries: readonly Received[];
}

/** The story on an emulated Gitea, whose CI wants what the workflow of the story wants. */
export async function playOnEmulator(): Promise<PlayedStory> {
  await using fixture = await forgeFixture('gitea');
  const { forge } = fixture;
  const { control } = forge;
  const tokens = {
    boss: control.addPerson('boss', { isAdmin: true }),
    dev: control.addPerson('dev'),
    review: control.addPerson('review'),
    stranger: control.addPerson('stranger'),
  };
  control.addOrganization('acme');
  await control.addRepository('acme/shop', { files: STORY_FILES });
  for (const login of ['dev', 'review']) control.setRole('acme/shop', login, 'write');
  control.setCi(wantsOkFile);
  const person = (token: string) => ({ token, client: fixture.client(token) });
  const people = Object.fromEntries(
    Object.entries(tokens).map(([login, token]) => [login, person(token)]),
  ) as Record<StoryPerson, ReturnType<typeof person>>;
  const { folder, hookUrl, received } = fixture;
  const story: StoryForge = { url: forge.url, folder, hookUrl, received, people };
  const calls = await playGiteaStory(story);
  await forge.idle();
  return { calls, deliveries: received };
}

const wantsOkFile: CiScript = async ({ branch, read }) => {
  if (!branch.startsWith('hall/')) return [];
  const isThere = (await read('ok.txt')) !== null;
  const log = isThere ? '' : 'there is no ok.txt\n';
  return [{ name: 'test', conclusion: isThere ? 'success' : 'failure', log }];
};
