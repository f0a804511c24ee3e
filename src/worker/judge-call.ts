import type { Permission, ToolCall } from '../ports/agent.ts';
import type { Assignment } from '../ports/desk.ts';
import type { WorkerNeeds } from './needs.ts';
import type { Scene } from './scene.ts';
import type { Transcript } from './transcript.ts';

interface Asked {
  readonly assignment: Assignment;
  readonly scene: Scene;
  readonly transcript: Transcript;
  readonly stop: AbortSignal;
}

/**
 * Whether a call of a tool may be made. Commands are judged by the hall; the file tools stay inside the
 * cell whatever they are given, and whether they may write is the runner's own rule.
 */
export async function judgeCall(
  { desk, lookAt }: Pick<WorkerNeeds, 'desk' | 'lookAt'>,
  { assignment, scene, transcript, stop }: Asked,
  { tool, input }: ToolCall,
): Promise<Permission> {
  const { command } = input;
  if (typeof command !== 'string') return { may: true };
  const { work } = scene.cell.paths;
  const look = () => ({ tool, command, cwd: work, worktree: work, ...lookAt(scene.cell, command) });
  const judgement = await desk.judge(assignment, look, stop);
  if (!judgement.may) transcript.say({ kind: 'hall', text: `refused: ${judgement.because}` });
  return judgement;
}
