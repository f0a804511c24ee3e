import { visible } from '../api/visible.ts';
import type { CommandSpec } from './command.ts';
import { greeting } from './greeting.ts';
import type { Output } from './output.ts';

export const START: CommandSpec = {
  path: 'start',
  summary: 'start the hall; stop it with Ctrl-C or SIGTERM, reread its file with SIGHUP',
  asks: 'folder',
  options: [
    { flags: '--listen <address>', about: 'host:port to listen on, such as 127.0.0.1:4600' },
    { flags: '--accept-rollback', about: 'go on with a database that is older than its anchors' },
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
      target: logTarget(cli.out),
      acceptRollback: input.flag('acceptRollback'),
      started: ({ url, hall }) => {
        const hasProjects = hall.board.projects.size > 0;
        if (cli.out.isTerminal) cli.out.say(greeting(cli, { url, hasProjects }));
      },
    });
    setTimeout(() => process.exit(code), LINGER).unref();
    return code;
  },
};

/** A connection that nobody closes must not keep a stopped hall alive. */
const LINGER = 1_000;

/** Lines of JSON for machines; for a person at a terminal the same in a readable form. */
function logTarget(out: Output): { write(line: string): void } {
  if (!out.isTerminal) return process.stdout;
  return { write: (line) => process.stdout.write(`${readable(line, out)}\n`) };
}

function readable(line: string, { colours }: Output): string {
  const { time, level, message, ...facts }: Record<string, unknown> = JSON.parse(line);
  const paints = { error: colours.red, warn: colours.yellow, info: colours.dim };
  const paint = paints[String(level) as keyof typeof paints];
  const rest = Object.entries(facts).map(([key, value]) => `${key}=${visible(String(value))}`);
  const clock = String(time).slice(11, 19);
  return `${colours.dim(clock)} ${paint(String(level).padEnd(5))} ${message} ${colours.dim(rest.join(' '))}`;
}
