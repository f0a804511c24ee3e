import type { Client } from '../../api/client.ts';
import {
  type DemoEnd,
  type DemoNeeds,
  type DemoSettings,
  runOnDemoHall,
  throwIfStuck,
} from './demo-hall.ts';
import { Narrator } from './narrate.ts';
import { makeSampleRepository } from './sample.ts';

const TASKS = [
  {
    ref: 'decimals',
    // The task names no agent, so Old Major chooses one.
    skill: 'triage',
    title: 'Prices always show two decimals',
    body: '500 cents are shown as €5 and 1250 as €12.5. Customers expect €5.00 and €12.50.',
  },
  {
    title: 'Show negative prices as refunds',
    body: 'price(-250) is shown as €-2.50. It should read "refund of €2.50".',
    depends_on: ['decimals'],
  },
];

/** Runs the whole story on the real product; only the model is scripted. */
export function runDemo(needs: DemoNeeds): Promise<DemoEnd> {
  return runOnDemoHall(needs, {
    layOut(folder, given) {
      makeSampleRepository(folder, needs.path);
      return settings(given);
    },
    environment: () => ({}),
    watch: (client) => watch(client, needs),
  });
}

/** Written as an operator would, as a starting point for users who keep the folder. */
function settings({ model, isolation, prefix }: DemoSettings): string {
  return `# The hall of the demo. Its model plays a script and stops with the demo.
hall: { data: ./data, listen: "127.0.0.1:0", container_prefix: ${prefix} }
types:
  boss: { git: { name: Old Major, email: old-major@guildhall.invalid }, model: claude-opus-4-7, persona: old-major }
  dev: { git: { name: Hamlet, email: hamlet@guildhall.invalid }, model: claude-sonnet-4-6, persona: hamlet }
  reviewer: { git: { name: Portia, email: portia@guildhall.invalid }, model: claude-opus-4-7, persona: portia }
invokers:
  - { handle: demo, credential: $GUILDHALL_DEMO_KEY, weekly_cap: 100, url: "${model}" }
projects:
  - name: tea-shop
    repo: file:./tea-shop.git
    isolation: ${isolation}
    checks: [{ name: tests, run: node --test }]
    merge_policy: on-approval
    approvers: [reviewer]
`;
}

/** Posts the tasks and narrates events until both are merged. */
async function watch(client: Client, { say, stop }: DemoNeeds): Promise<number> {
  const narrator = new Narrator();
  const events = client.events({ after: 0, signal: stop });
  await client.call('postTasks', { body: TASKS.map((task) => ({ project: 'tea-shop', ...task })) });
  let merged = 0;
  for await (const event of events) {
    const line = narrator.narrate(event);
    if (line) say(line);
    if (event.type === 'PullRequestMerged') merged += 1;
    if (merged === TASKS.length) break;
    throwIfStuck(event.facts);
  }
  return merged;
}
