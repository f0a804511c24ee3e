import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readScript } from '../adapters/claude/scripted/read-script.ts';
import { startScriptedModel } from '../adapters/claude/scripted/server.ts';

export interface Playing {
  readonly file: string;
  readonly cwd: string;
  readonly port: number;
  readonly stop: AbortSignal;
  readonly started: (url: string) => void;
}

/** Serves a scripted model until `stop`. */
export async function playScript({ file, cwd, port, stop, started }: Playing): Promise<void> {
  const script = readScript(readFileSync(resolve(cwd, file), 'utf8'), file);
  await using model = await startScriptedModel({ script, port });
  started(model.url);
  if (!stop.aborted) await once(stop, 'abort');
}
