import type { McpSdkServerConfigWithInstance } from '@anthropic-ai/claude-agent-sdk';
import { z } from 'zod';
import { HALL_SERVER } from '../../domain/agent-tools.ts';
import type { HallTool, RunCallbacks } from '../../ports/agent.ts';
import type { Sdk } from './sdk.ts';

interface Needs {
  readonly sdk: Sdk;
  readonly callbacks: RunCallbacks;
  /** Called after a tool that leaves the agent nothing more to do. */
  readonly onLastCall: () => void;
}

/** The hall's tools, served by this process: they act outside the cell. */
export function serveHallTools(
  { sdk, callbacks, onLastCall }: Needs,
  tools: readonly HallTool[],
): McpSdkServerConfigWithInstance {
  return sdk.createSdkMcpServer({
    name: HALL_SERVER,
    tools: tools.map(({ name, description, parameters }) =>
      sdk.tool(name, description, shapeOf(parameters), async (input) => {
        const { text, isError, ends: isLast } = await callTool(callbacks, name, input);
        if (isLast) onLastCall();
        return { content: [{ type: 'text', text }], isError };
      }),
    ),
    alwaysLoad: true,
  });
}

/** The SDK takes the shape of an object and builds the model's schema from it. */
function shapeOf(parameters: HallTool['parameters']): z.ZodRawShape {
  const schema = z.fromJSONSchema(parameters);
  if (!(schema instanceof z.ZodObject))
    throw new Error('the parameters of a tool must be an object');
  return schema.shape;
}

async function callTool(callbacks: RunCallbacks, tool: string, input: unknown) {
  try {
    return await callbacks.callTool(tool, input);
  } catch (error) {
    const because = error instanceof Error ? error.message : String(error);
    return { text: `the hall could not do this: ${because}`, isError: true, ends: false };
  }
}
