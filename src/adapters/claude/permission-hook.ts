import type {
  HookCallback,
  HookCallbackMatcher,
  HookJSONOutput,
} from '@anthropic-ai/claude-agent-sdk';
import { z } from 'zod';
import type { Permission, RunCallbacks } from '../../ports/agent.ts';
import { HALL_PREFIX } from './hall-tools.ts';

/** Tools that every task has; each Bash call is decided individually. */
const READ_TOOLS = ['Read', 'Glob', 'Grep', 'Bash'];
const WRITE_TOOLS = ['Write', 'Edit', 'NotebookEdit'];

/** The agent's tools besides the hall's; none leaves the cell or starts other agents. */
export function toolsFor(mayWrite: boolean): string[] {
  return mayWrite ? [...READ_TOOLS, ...WRITE_TOOLS] : READ_TOOLS;
}

interface Needs {
  readonly callbacks: RunCallbacks;
  readonly mayWrite: boolean;
}

/** Decides every tool call before it happens. A call that cannot be decided is denied. */
export function permissionHook({ callbacks, mayWrite }: Needs): HookCallbackMatcher {
  const hook: HookCallback = async (input, id) =>
    hookOutput(await permission({ callbacks, mayWrite }, input, id));
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
  { callbacks, mayWrite }: Needs,
  input: unknown,
  id: string | undefined,
): Promise<Permission> {
  const call = Call.safeParse(input);
  if (!call.success) return { may: false, because: 'the tool call is malformed' };
  const { tool_name: tool, tool_input, tool_use_id } = call.data;
  if (tool.startsWith(HALL_PREFIX)) return { may: true };
  if (WRITE_TOOLS.includes(tool) && !mayWrite) {
    return { may: false, because: `${tool} is not allowed: this task is read-only` };
  }
  if (!toolsFor(mayWrite).includes(tool)) {
    return { may: false, because: `${tool} is not one of this agent's tools` };
  }
  try {
    return await callbacks.authorize({ id: id ?? tool_use_id ?? '', tool, input: tool_input });
  } catch (error) {
    const because = error instanceof Error ? error.message : String(error);
    return { may: false, because: `could not ask for permission: ${because}` };
  }
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
