import type { Brief } from '../domain/brief.ts';
import type { Env } from '../domain/env.ts';
import { localPath, nameOfLimit } from '../domain/project.ts';
import type { Cell, CellEnd } from '../ports/cell.ts';
import type { WorkerNeeds } from './needs.ts';
import type { Transcript } from './transcript.ts';

interface SetupContext {
  readonly brief: Brief;
  readonly cell: Cell;
  readonly env: Env;
  readonly transcript: Transcript;
  readonly stop: AbortSignal;
}

/** Prepares a fresh work tree: ignored files first, then the project's commands. Returns what went wrong. */
export async function runSetup(
  needs: WorkerNeeds,
  context: SetupContext,
): Promise<string | undefined> {
  const { brief, cell, stop } = context;
  const from = localPath(brief.repo);
  if (from !== undefined && brief.cell.copy.length > 0) {
    await needs.copyInto(cell, { from, files: brief.cell.copy });
  }
  for (const command of brief.cell.setup) {
    // A listener added after the abort would never be called.
    stop.throwIfAborted();
    const failure = await runCommand(context, command);
    if (failure !== undefined) return `setup failed: ${command}: ${failure}`;
  }
  return undefined;
}

const MAX_TAIL = 4_000;

async function runCommand(context: SetupContext, command: string): Promise<string | undefined> {
  const { cell, env, transcript, stop } = context;
  transcript.append({ kind: 'hall', text: `$ ${command}` });
  const child = cell.start({
    argv: ['bash', '-c', command],
    env: { ...env, ...environmentOf(cell) },
  });
  const kill = () => child.kill();
  stop.addEventListener('abort', kill);
  child.stdin.end();
  const [out, err, end] = await Promise.all([
    lastOf(child.stdout),
    lastOf(child.stderr),
    child.ended,
  ]);
  stop.removeEventListener('abort', kill);
  const output = `${out}${err}`.trim();
  if (output !== '') transcript.append({ kind: 'tool_result', text: output });
  return end.code === 0 ? undefined : `${endText(end)}: ${output.slice(-600)}`;
}

/** Programs reach the network through the cell's proxy, if it has one. */
function environmentOf(cell: Cell): Record<string, string> {
  const { egress } = cell.proxies;
  const proxy = egress === null ? {} : { HTTP_PROXY: egress, HTTPS_PROXY: egress };
  const lower = egress === null ? {} : { http_proxy: egress, https_proxy: egress };
  return { LANG: 'C.UTF-8', CI: '1', NO_COLOR: '1', ...proxy, ...lower };
}

function endText({ code, signal, limit }: CellEnd): string {
  if (limit !== null) return `it exceeded its limit of ${nameOfLimit(limit)}`;
  return code === null ? `it was killed by ${signal}` : `it failed with exit code ${code}`;
}

/** The end of a program's output; all of it could fill the memory. */
async function lastOf(stream: AsyncIterable<Uint8Array>, limit = MAX_TAIL): Promise<string> {
  const decoder = new TextDecoder();
  let tail = '';
  for await (const chunk of stream) {
    tail = `${tail}${decoder.decode(chunk, { stream: true })}`.slice(-limit);
  }
  return tail;
}
