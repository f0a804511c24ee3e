import { setTimeout as wait } from 'node:timers/promises';
import { isAlive, readHallFile } from '../main/hall-file.ts';
import type { Cli, CommandSpec } from './command.ts';
import { EXIT_CODES } from './exit.ts';
import { sendRequest } from './send-request.ts';
import { continuingRuns } from './shutdown-message.ts';

/** There is no hall that could be asked to stop. */
class NotStopped extends Error {
  override readonly name = 'NotStopped';
}

const LOOK_EVERY = 100;
/** Past its grace period a hall ends within seconds, whatever hangs. */
const AFTER_GRACE = 5_000;

export const STOP: CommandSpec = {
  summary: 'stop the hall of this data folder and wait until it has ended',
  examples: ['guildhall stop', 'guildhall stop --config /etc/guildhall.yaml'],
  run: async (cli) => {
    const { data, grace, deadAfter } = await cli.hall();
    const running = readHallFile(data);
    if (!running) throw new NotStopped(`no hall is running on ${data}`);
    const { pid, url } = running;
    await refuseStranger(running);
    const runs = await activeRuns(cli);
    process.kill(pid, 'SIGTERM');
    cli.out.say(
      `process ${pid} is stopping; it waits up to ${grace / 1_000} s for active requests`,
    );
    if (runs > 0) cli.out.say(continuingRuns(runs, deadAfter));
    const isGone = await waitFor(() => !isAlive(pid), grace + AFTER_GRACE);
    if (!isGone) {
      const again = `to end it at once: ${cli.command('stop')}, once more`;
      throw new NotStopped(`process ${pid} is still running; see its log, or ${again}`);
    }
    cli.out.answer({ stopped: true, pid, url }, () => `stopped the hall on ${data}`);
    return EXIT_CODES.ok;
  },
};

/** A killed hall leaves its file behind, and another program may have got its process id since. */
async function refuseStranger({ pid, url }: { readonly pid: number; readonly url: string }) {
  const signal = AbortSignal.timeout(5_000);
  const answer = await sendRequest(`${url}/healthz`, { signal }).catch(() => undefined);
  if (answer) return;
  throw new NotStopped(
    `process ${pid} does not answer at ${url}, so it may not be a hall; if it is, end it with: kill ${pid}`,
  );
}

/** Only for the message: a hall that is about to stop may answer nothing more. */
async function activeRuns({ client }: Cli): Promise<number> {
  const board = await client()
    .call('getBoard')
    .catch(() => undefined);
  return board?.totals.running ?? 0;
}

async function waitFor(condition: () => boolean, limit: number): Promise<boolean> {
  const end = performance.now() + limit;
  while (performance.now() < end) {
    if (condition()) return true;
    await wait(LOOK_EVERY);
  }
  return condition();
}
