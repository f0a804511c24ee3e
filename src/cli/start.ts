import { visible } from '../api/escape-control-characters.ts';
import type { CommandSpec } from './command.ts';
import { logTarget } from './log-target.ts';
import { shutdownMessage } from './shutdown-message.ts';
import { startBanner } from './start-banner.ts';

export const START: CommandSpec = {
  summary: 'start the hall; Ctrl-C or SIGTERM stops it, SIGHUP reloads its configuration',
  options: [
    { flags: '--listen <address>', about: 'host:port to listen on, such as 127.0.0.1:4600' },
    {
      flags: '--accept-rollback',
      about: 'start even if the database was rolled back to before its last anchor',
    },
  ],
  examples: [
    'guildhall start',
    'guildhall start --config /etc/guildhall.yaml --data /var/lib/guildhall',
    'guildhall start --listen 127.0.0.1:0 > hall.log',
  ],
  run: async (cli, input) => {
    const { runServer } = await import('../main/run-server.ts');
    const code = await runServer({
      load: cli.config,
      target: logTarget(cli),
      signals: cli.signals,
      exit: cli.exit,
      acceptRollback: input.flag('acceptRollback'),
      started: ({ url, hall, cannotStart }) => {
        const hasProjects = hall.board.projects.size > 0;
        if (!cli.out.isTerminal) return;
        const lacks = cannotStart().map((lack) => visible(cli.localized(lack)));
        cli.out.say(startBanner(cli, { url, hasProjects, cannotStart: lacks }));
      },
      stopping: (runs, { hall }) => {
        if (cli.out.isTerminal) cli.out.say(shutdownMessage(runs, hall));
      },
    });
    setTimeout(() => cli.exit(code), LINGER).unref();
    return code;
  },
};

/** A connection that its peer leaves open must not keep a stopped hall alive. */
const LINGER = 1_000;
