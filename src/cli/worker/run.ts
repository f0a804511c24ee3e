import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { HallSettings } from '../../config/config.ts';
import type { CommandSpec } from '../command.ts';
import { logTarget } from '../log-target.ts';
import { stopSignal } from '../stop-signal.ts';

export const WORKER_RUN: CommandSpec = {
  path: 'worker run',
  summary: 'work for a hall on this machine, in cells; the hall starts such workers by itself',
  asks: 'hall',
  options: [
    {
      flags: '--instance <name>',
      about: 'the member of the pool it works as (default: dev-default)',
    },
    { flags: '-p, --project <project>', about: 'work only in this project', many: true },
    {
      flags: '--folder <path>',
      about: 'where mirrors and cells are kept (default: in the data folder)',
    },
    { flags: '--hall <url>', about: 'the same as --url' },
    { flags: '--record <path>', about: 'write the id it registers under into this file' },
    {
      flags: '--container-prefix <word>',
      about: 'what the names of its containers begin with (default: guildhall)',
    },
    { flags: '--idle <seconds>', about: 'go after so long without work (default: stay)' },
    { flags: '--no-sweep', about: 'leave the folder to whoever started it: clear nothing away' },
  ],
  examples: [
    'guildhall worker run --instance dev-default',
    'guildhall worker run --url https://hall.example --token "$TOKEN" --instance dev-default --folder /var/lib/guildhall-worker',
  ],
  run: async (cli, input) => {
    const { runWorker } = await import('../../main/worker/run-worker.ts');
    const drain = stopSignal(cli.signals);
    const { url, token } = cli.reach();
    const idle = input.number('idle');
    const because = await runWorker(
      {
        url,
        token,
        instance: input.text('instance') ?? 'dev-default',
        projects: input.list('project') ?? null,
        // Cells mount what is in it, and links lead there: a path that is not whole leads nowhere from there.
        folder: resolve(cli.cwd, input.text('folder') ?? join(cli.hall().data, 'worker')),
        prefix: input.text('containerPrefix'),
        path: cli.environment['PATH'] ?? '',
        keeping: input.choice('sweep') === false ? null : keepingOf(cli.hall()),
        registered: (id) => recordIn(cli.cwd, input.text('record'), id),
        waitSeconds: Math.min(WAIT, idle ?? WAIT),
        patience: idle === undefined ? null : Math.max(1, Math.ceil(idle / WAIT)),
      },
      { target: logTarget(cli), drain },
    );
    cli.out.say(because);
  },
};

function keepingOf({ retention, diskBudgetBytes }: HallSettings) {
  return { keep: retention.work, budgetBytes: diskBudgetBytes };
}

/** For whoever started it, such as the hall. */
function recordIn(cwd: string, path: string | undefined, id: string): void {
  if (path !== undefined) writeFileSync(resolve(cwd, path), id, { mode: 0o600 });
}

const WAIT = 20;
