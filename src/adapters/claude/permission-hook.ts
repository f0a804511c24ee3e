import type {
  HookCallback,
  HookCallbackMatcher,
  HookJSONOutput,
} from '@anthropic-ai/claude-agent-sdk';
import { z } from 'zod';
import {
  allowsTool,
  builtInTools,
  HALL_SERVER,
  isToolOf,
  WRITE_TOOLS,
} from '../../domain/agent-tools.ts';
import type { AgentJob, Permission, RunCallbacks } from '../../ports/agent.ts';

interface Needs {
  readonly callbacks: RunCallbacks;
  readonly job: Pick<AgentJob, 'mayWrite' | 'allowedTools' | 'mcpServers'>;
}

/** Decides every tool call before it happens. A call that cannot be decided is denied. */
export function permissionHook(needs: Needs): HookCallbackMatcher {
  const hook: HookCallback = async (input, id) => hookOutput(await permission(needs, input, id));
  return { hooks: [hook], timeout: LONGEST_WAIT, onFailure: 'block' };
}

/** In seconds. A person may take their time to approve; the run's own limit ends the wait. */
const LONGEST_WAIT = 7 * 86_400;

const Call = z.looseObject({
  tool_name: z.string(),
  tool_input: z.record(z.string(), z.unknown()).catch({}),
  tool_use_id: z.string().optional(),
});

async function permission(
  { callbacks, job }: Needs,
  input: unknown,
  id: string | undefined,
): Promise<Permission> {
  const call = Call.safeParse(input);
  if (!call.success) return { may: false, because: 'the tool call is malformed' };
  const { tool_name: tool, tool_input, tool_use_id } = call.data;
  if (isToolOf(HALL_SERVER, tool)) return { may: true };
  if (WRITE_TOOLS.includes(tool) && !job.mayWrite) {
    return { may: false, because: `${tool} is not allowed: this task is read-only` };
  }
  if (!builtInTools(job).includes(tool) && !isServed(job, tool)) {
    return { may: false, because: `${tool} is not one of this agent's tools` };
  }
  try {
    return await callbacks.authorize({ id: id ?? tool_use_id ?? '', tool, input: tool_input });
  } catch (error) {
    const because = error instanceof Error ? error.message : String(error);
    return { may: false, because: `could not ask for permission: ${because}` };
  }
}

/** A tool of an MCP server that this agent has. */
function isServed({ mcpServers, allowedTools }: Needs['job'], tool: string): boolean {
  return mcpServers.some(({ name }) => isToolOf(name, tool)) && allowsTool(allowedTools, tool);
}

function hookOutput(permission: Permission): HookJSONOutput {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: permission.may ? 'allow' : 'deny',
      ...(permission.may ? {} : { permissionDecisionReason: permission.because }),
    },
  };
}
