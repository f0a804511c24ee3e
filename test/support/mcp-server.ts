interface McpRequest {
  readonly id?: unknown;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string; readonly name?: string };
}

/** Answers the messages of an MCP client that has two tools, `where` and `wipe`; notifications have no answer. */
export function mcpAnswer({ id, method, params = {} }: McpRequest): object | undefined {
  if (id === undefined) return undefined;
  const { protocolVersion, name } = params;
  const inputSchema = { type: 'object', properties: {} };
  const tools = ['where', 'wipe'].map((tool) => ({ name: tool, description: tool, inputSchema }));
  const server = { name: 'test', version: '1' };
  const place = typeof process === 'undefined' ? '' : `${process.cwd()} as ${process.env['HOME']}`;
  const text = `${name} was called\n${name} says ${place}`;
  const results: Readonly<Record<string, object>> = {
    initialize: { protocolVersion, capabilities: { tools: {} }, serverInfo: server },
    'tools/list': { tools },
    'tools/call': { content: [{ type: 'text', text }] },
  };
  return { jsonrpc: '2.0', id, result: results[method] ?? {} };
}

/** The same as a program that speaks MCP over its standard input and output. */
export const MCP_SERVER = `${mcpAnswer}
import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: process.stdin })) {
  const answer = mcpAnswer(JSON.parse(line));
  if (answer) process.stdout.write(JSON.stringify(answer) + '\\n');
}
`;
