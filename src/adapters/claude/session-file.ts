import type { Session } from '../../ports/agent.ts';
import type { Cell, CellProcess } from '../../ports/cell.ts';
import { configFolder } from './environment.ts';

/*
 * A conversation is a file of lines in the agent's own folder. It is written and read by programs in
 * the cell: a host that opened files there would follow whatever links the agent left. Those programs
 * open nothing but plain files, because one that opens a pipe of the agent's would wait for ever.
 */

/** Writes a conversation where the agent's program looks for it. True on success. */
export async function writeSession(cell: Cell, { id, history }: Session): Promise<boolean> {
  if (!UUID.test(id)) return false;
  const script = 'mkdir -p "$1" && rm -rf -- "$1/$2.jsonl" && cat > "$1/$2.jsonl"';
  const child = run(cell, script, [projectFolder(cell), id]);
  child.stdin.write(history);
  child.stdin.end();
  void drain(child.stdout);
  void drain(child.stderr);
  return (await child.ended).code === 0;
}

/** The conversation as the agent's program left it; null when there is none that can be kept. */
export async function readSession(cell: Cell, id: string): Promise<Session | null> {
  const each = 'if [ -f "$file" ]; then cat -- "$file"; fi';
  const script = `for file in "$1"/projects/*/"$2".jsonl; do ${each}; done | head -c "$3"`;
  const child = run(cell, script, [configFolder(cell), id, String(LONGEST + 1)]);
  child.stdin.end();
  const chunks: Uint8Array[] = [];
  let length = 0;
  void drain(child.stderr);
  for await (const chunk of child.stdout) {
    length += chunk.length;
    if (length <= LONGEST) chunks.push(chunk);
    else child.kill();
  }
  await child.ended;
  if (length === 0 || length > LONGEST) return null;
  const history = Buffer.concat(chunks).toString('utf8');
  return CONTROL_CHARACTERS.test(history) ? null : { id, history };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The longest conversation that the hall stores. */
const LONGEST = 16 * 1024 * 1024;
/** Lines of JSON never contain these unescaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL_CHARACTERS = /[\0-\x09\x0b-\x1f]/;

/** The program names this folder after its working directory. */
function projectFolder(cell: Cell): string {
  return `${configFolder(cell)}/projects/${cell.paths.work.replace(/[^a-zA-Z0-9]/g, '-')}`;
}

function run(cell: Cell, script: string, args: readonly string[]): CellProcess {
  return cell.start({ argv: ['sh', '-c', script, 'sh', ...args], env: {} });
}

async function drain(stream: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _chunk of stream);
}
