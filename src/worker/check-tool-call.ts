import type { Permission, ToolCall } from '../ports/agent.ts';
import type { Assignment } from '../ports/hall-client.ts';
import type { WorkerNeeds } from './needs.ts';
import type { RunEnvironment } from './run-environment.ts';
import type { Transcript } from './transcript.ts';

interface RunContext {
  readonly assignment: Assignment;
  readonly environment: RunEnvironment;
  readonly transcript: Transcript;
  readonly stop: AbortSignal;
}

/**
 * Whether the agent may make a tool call. The hall judges commands; file tools cannot leave the cell, and
 * the runner decides whether they may write.
 */
export async function checkToolCall(
  { hall: hallClient, inspectCommand }: Pick<WorkerNeeds, 'hall' | 'inspectCommand'>,
  { assignment, environment, transcript, stop }: RunContext,
  { tool, input }: ToolCall,
): Promise<Permission> {
  const { command } = input;
  if (typeof command !== 'string') return { may: true };
  const { work } = environment.cell.paths;
  const describe = () => ({
    tool,
    command,
    cwd: work,
    worktree: work,
    ...inspectCommand(environment.cell, command),
  });
  const permission = await hallClient.checkToolCall(assignment, describe, stop);
  if (!permission.may) transcript.append({ kind: 'hall', text: `refused: ${permission.because}` });
  return permission;
}
