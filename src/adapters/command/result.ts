import type { AgentJob, RunCallbacks } from '../../ports/agent.ts';
import type { Cell } from '../../ports/cell.ts';

export function resultPath({ paths }: Cell): string {
  return `${paths.home}/guildhall-result.json`;
}

/**
 * Applies the result file with the same tools that other agents call. Returns why it failed; nothing on
 * success or without a file.
 */
export async function applyResult(
  job: AgentJob,
  callbacks: RunCallbacks,
): Promise<string | undefined> {
  const text = await readInside(job.cell, resultPath(job.cell));
  if (text === undefined) return `the result file is larger than ${LONGEST / 1024 ** 2} MiB`;
  if (text.trim() === '') return undefined;
  const uses = parseUses(text);
  if (typeof uses === 'string') return uses;
  for (const { tool, input } of uses) {
    if (!job.tools.some(({ name }) => name === tool)) {
      return `the result file uses ${tool}, which is not a tool of this task`;
    }
    const { text: message, isError, ends } = await callTool(callbacks, { tool, input });
    if (isError) return `the hall refused its ${tool}: ${message}`;
    if (ends) return undefined;
  }
  return undefined;
}

async function callTool(callbacks: RunCallbacks, { tool, input }: ToolUse) {
  try {
    return await callbacks.callTool(tool, input);
  } catch (error) {
    const because = error instanceof Error ? error.message : String(error);
    return { text: because, isError: true, ends: false };
  }
}

interface ToolUse {
  readonly tool: string;
  readonly input: unknown;
}

function parseUses(text: string): readonly ToolUse[] | string {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null) return 'the result file is not a JSON object';
  if (!('uses' in value)) return [useOf(value)];
  if (!Array.isArray(value.uses) || !value.uses.every(isUse)) {
    return 'uses in the result file must be a list of { tool, input }';
  }
  return value.uses;
}

/** The plain form, one outcome: a rejection has a reason_code, a question has a question. */
function useOf(input: object): ToolUse {
  if ('reason_code' in input) return { tool: 'reject', input };
  return { tool: 'question' in input ? 'ask' : 'report', input };
}

function isUse(value: unknown): value is ToolUse {
  const use = value as Partial<ToolUse> | null;
  return typeof use === 'object' && use !== null && typeof use.tool === 'string' && 'input' in use;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const LONGEST = 4 * 1024 * 1024;

/** A program in the cell reads the file: the host would follow any link there. */
async function readInside(cell: Cell, path: string): Promise<string | undefined> {
  const script = 'test ! -f "$1" || head -c "$2" "$1"';
  const argv = ['sh', '-c', script, 'sh', path, String(LONGEST + 1)] as const;
  const child = cell.start({ argv: [...argv], env: {} });
  child.stdin.end();
  const chunks: Uint8Array[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk);
  await child.ended;
  const content = Buffer.concat(chunks);
  return content.length > LONGEST ? undefined : content.toString('utf8');
}
