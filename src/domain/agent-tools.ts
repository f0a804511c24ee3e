/*
 * The tools of agents on the Agent SDK, by the names that the model sees. The hall offers no others, so a
 * persona can only leave some of them out.
 */

/** Tools that every task has; each Bash call is decided individually. */
const READ_TOOLS = ['Read', 'Glob', 'Grep', 'Bash'] as const;

export const WRITE_TOOLS: readonly string[] = ['Write', 'Edit', 'NotebookEdit'];

export const BUILT_IN_TOOLS: readonly string[] = [...READ_TOOLS, ...WRITE_TOOLS];

/** The agent sees the hall's own tools under this name: `mcp__hall__report`. */
export const HALL_SERVER = 'hall';

/** What a run may use, besides the hall's own tools. */
export interface ToolScope {
  readonly mayWrite: boolean;
  /** Tools, or whole MCP servers as `mcp__<server>`; null means all. */
  readonly allowedTools: readonly string[] | null;
}

/** The built-in tools of a run; none leaves the cell or starts other agents. */
export function builtInTools({ mayWrite, allowedTools }: ToolScope): string[] {
  const tools = mayWrite ? BUILT_IN_TOOLS : READ_TOOLS;
  return tools.filter((tool) => allowsTool(allowedTools, tool));
}

/** Whether a tool is one of an MCP server, by the name under which the model sees it. */
export function isToolOf(server: string, tool: string): boolean {
  return tool.startsWith(`${serverTools(server)}__`);
}

export function allowsTool(allowed: readonly string[] | null, tool: string): boolean {
  return allowed === null || allowed.some((name) => name === tool || isWholeServer(name, tool));
}

function isWholeServer(name: string, tool: string): boolean {
  const server = serverIn(name);
  return server !== undefined && name === serverTools(server) && isToolOf(server, tool);
}

/** How `allowed_tools` names all tools of a server. */
export function serverTools(server: string): string {
  return `mcp__${server}`;
}

/** The MCP server of `mcp__fetch` or `mcp__fetch__get`: a server's name has no underscores. */
export function serverIn(name: string): string | undefined {
  return /^mcp__([a-z0-9-]+)(?:__.+)?$/.exec(name)?.[1];
}
