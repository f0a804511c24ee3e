import { join } from 'node:path';
import { type ForgeEmulator, startForgeEmulator } from '../../adapters/forge-emulator/emulator.ts';
import type { CiScript } from '../../adapters/forge-emulator/state/ci-script.ts';
import type { Client } from '../../api/client.ts';
import {
  type DemoEnd,
  type DemoNeeds,
  type DemoSettings,
  runOnDemoHall,
  throwIfStuck,
} from './demo-hall.ts';
import type { Line } from './narrate.ts';
import { ForgeNarrator } from './narrate-forge.ts';
import { FILES } from './sample.ts';

const REPO = 'you/tea-shop';
const TITLE = 'Prices always show two decimals';
const BODY = '500 cents are shown as €5 and 1250 as €12.5. Customers expect €5.00 and €12.50.';
const REVIEW =
  'The issue names 500 cents, but no test would fail if that broke again. Please add a test that price(500) is €5.00.';

/**
 * From a labelled issue to a merged pull request, on an emulated GitHub on loopback. The model and the result of
 * CI are scripted; git, the hall, its workers, the agents and their cells are real.
 */
export async function runForgeDemo(needs: DemoNeeds): Promise<DemoEnd> {
  await using undo = new AsyncDisposableStack();
  let forge: ForgeEmulator | undefined;
  let token = '';
  return await runOnDemoHall(needs, {
    async layOut(folder, given) {
      const options = { kind: 'github', folder: join(folder, 'forge'), path: needs.path } as const;
      forge = undo.use(await startForgeEmulator(options));
      token = await layOutForge(forge);
      return settings(given, forge);
    },
    environment: () => ({ GUILDHALL_DEMO_FORGE_TOKEN: token }),
    async watch(client) {
      if (!forge) return 0;
      const merged = await watch(client, forge, needs);
      if (merged > 0) needs.say(await lastLine(forge, token));
      return merged;
    },
  });
}

/** The token of the hall's own account. */
async function layOutForge({ control }: ForgeEmulator): Promise<string> {
  control.addPerson('you');
  const token = control.addPerson('tea-hall');
  await control.addRepository(REPO, { files: FILES });
  control.setRole(REPO, 'tea-hall', 'write');
  control.setCi(CI);
  return token;
}

/** What `node --test` says about the formats that the model writes. */
const CI: CiScript = async ({ read }) => {
  const isCut = (await read('src/price.js'))?.includes('toFixed(1)') ?? false;
  const log = isCut ? "not ok 1 - cents are kept: expected '€12.34', got '€12.3'\n" : 'ok 1\n';
  return [{ name: 'tests', conclusion: isCut ? 'failure' : 'success', log }];
};

function settings(
  { model, isolation, prefix }: DemoSettings,
  { url, apiUrl }: ForgeEmulator,
): string {
  return `# The hall of the demo. Its model and its forge stop with the demo.
hall: { data: ./data, listen: "127.0.0.1:0", container_prefix: ${prefix} }
types:
  dev: { git: { name: Hamlet, email: hamlet@guildhall.invalid }, model: claude-sonnet-4-6, persona: hamlet }
invokers:
  - { handle: demo, credential: $GUILDHALL_DEMO_KEY, weekly_cap: 100, url: "${model}" }
forges:
  github: { url: "${url}", api_url: "${apiUrl}", token: $GUILDHALL_DEMO_FORGE_TOKEN, poll: { active: 1s, idle: 1s } }
projects:
  - { name: tea-shop, repo: "github:${REPO}", isolation: ${isolation}, merge_policy: on-approval }
`;
}

async function watch(
  client: Client,
  { control }: ForgeEmulator,
  { say, stop }: DemoNeeds,
): Promise<number> {
  const you = control.as('you');
  const narrator = new ForgeNarrator();
  const events = client.events({ after: 0, signal: stop });
  const issue = you.openIssue(REPO, { title: TITLE, body: BODY });
  you.addLabels(REPO, issue, ['hall:dev']);
  say(said(`open issue #${issue} "${TITLE}" and set the label hall:dev`));
  let pull = 0;
  let isReviewed = false;
  let isMerged = false;
  for await (const { type, facts } of events) {
    for (const line of narrator.narrate({ type, facts })) say(line);
    if (type === 'PullRequestOpened') pull = numberIn(facts['pr']);
    if (type === 'ChecksReported' && facts['checks'] === 'green') {
      if (isReviewed) {
        await you.review(REPO, pull, { state: 'approved', body: 'Thank you.' });
        say(said(`approve pull request #${pull}`));
      } else {
        await you.review(REPO, pull, { state: 'changes_requested', body: REVIEW });
        say(said(`request changes on #${pull}: ${REVIEW}`));
      }
      isReviewed = true;
    }
    isMerged ||= type === 'PullRequestMerged';
    // The last thing the hall records is that the issue shows the end and the branch is gone.
    if (isMerged && type === 'IssueSeen') break;
    throwIfStuck(facts);
  }
  return isMerged ? 1 : 0;
}

const ISSUE = 1;

/** As the forge shows it. */
async function lastLine({ apiUrl }: ForgeEmulator, token: string): Promise<Line> {
  const ask = async (path: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${apiUrl}/repos/${REPO}/${path}`, { headers })).json();
  };
  const { state } = (await ask(`issues/${ISSUE}`)) as { readonly state: string };
  const [card] = (await ask(`issues/${ISSUE}/comments`)) as { readonly body: string }[];
  const stage = /\*\*Stage\*\* \| (\S+)/.exec(card?.body ?? '')?.[1] ?? '';
  const branches = (await ask('branches')) as { readonly name: string }[];
  const left = branches.map(({ name }) => name).join(', ');
  const text = `the issue is ${state}, its card says "${stage}", and the branches left are: ${left}`;
  return { who: 'forge', text, tone: 'good' };
}

function said(text: string) {
  return { who: 'you', text, tone: 'plain' } as const;
}

function numberIn(pr: unknown): number {
  return Number((pr as { readonly number?: unknown } | undefined)?.number ?? 0);
}
