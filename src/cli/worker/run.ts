import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { caVariablesIn } from '../../config/ca-variables.ts';
import type { HallSettings } from '../../config/config.ts';
import { machineVariablesIn } from '../../config/machine-variables.ts';
import type { CommandSpec } from '../command.ts';
import { logTarget } from '../log-target.ts';
import { stopSignal } from '../stop-signal.ts';

export const WORKER_RUN: CommandSpec = {
  summary: 'run a worker on this machine; the hall also starts workers by itself',
  options: [
    {
      flags: '--instance <name>',
      about: 'agent to work as (default: dev-default)',
    },
    { flags: '-p, --project <project>', about: 'claim only tasks of this project', many: true },
    {
      flags: '--folder <path>',
      about: 'folder for mirrors and cells (default: in the data folder)',
    },
    { flags: '--hall <url>', about: 'same as --url' },
    { flags: '--record <path>', about: 'write the id of the worker to this file' },
    {
      flags: '--container-prefix <word>',
      about: 'prefix of its container names (default: guildhall)',
    },
    { flags: '--idle <seconds>', about: 'exit after this long without work (default: never)' },
    {
      flags: '--no-sweep',
      about: 'do not clean up the folder; the process that started the worker does',
    },
  ],
  examples: [
    'guildhall worker run --instance dev-default',
    'guildhall worker run --url https://hall.example --token "$TOKEN" --instance dev-default --folder /var/lib/guildhall-worker',
  ],
  run: async (cli, input) => {
    const { runWorker } = await import('../../main/worker/run-worker.ts');
    const drain = stopSignal(cli.signals);
    const { url, token } = await cli.reach();
    const idle = input.number('idle');
    const because = await runWorker(
      {
        url,
        token,
        instance: input.text('instance') ?? 'dev-default',
        projects: input.list('project') ?? null,
        // Cells mount parts of it and links point into it, so the path must be absolute.
        folder: resolve(cli.cwd, input.text('folder') ?? join((await cli.hall()).data, 'worker')),
        prefix: input.text('containerPrefix'),
        ...machineVariablesIn(cli.environment),
        caVariables: caVariablesIn(cli.environment, cli.cwd),
        keeping: input.choice('sweep') === false ? null : cleaningOf(await cli.hall()),
        registered: (id) => recordIn(cli.cwd, input.text('record'), id),
        waitSeconds: Math.min(WAIT, idle ?? WAIT),
        patience: idle === undefined ? null : Math.max(1, Math.ceil(idle / WAIT)),
      },
      { target: logTarget(cli), drain },
    );
    cli.out.say(because);
  },
};

function cleaningOf({ retention, diskBudgetBytes }: HallSettings) {
  return { keep: retention.work, budgetBytes: diskBudgetBytes };
}

/** For the process that started the worker, such as the hall. */
function recordIn(cwd: string, path: string | undefined, id: string): void {
  if (path !== undefined) writeFileSync(resolve(cwd, path), id, { mode: 0o600 });
}

const WAIT = 20;
