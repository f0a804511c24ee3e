import type { CommandSpec } from '../command.ts';
import { stopSignal } from '../stop-signal.ts';

export const MODEL_PLAY: CommandSpec = {
  summary: 'answer model calls from a script, without a model; stop it with Ctrl-C or SIGTERM',
  arguments: [{ usage: '<script>', about: 'YAML file; its format is in docs/reference/script.md' }],
  options: [{ flags: '--port <number>', about: 'port on 127.0.0.1 (default: any free one)' }],
  examples: ['guildhall model play story.yaml --port 4700'],
  run: async ({ out, cwd, signals }, input) => {
    const { playScript } = await import('../../main/play-script.ts');
    await playScript({
      file: input.argument(0),
      cwd,
      port: input.number('port') ?? 0,
      stop: stopSignal(signals),
      started: (url) => out.answer({ url }, () => `serving the script at ${url}`),
    });
  },
};
