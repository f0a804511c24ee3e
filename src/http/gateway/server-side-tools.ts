/**
 * Where a call asks the provider to reach out in its place, undefined where it does not. What a
 * provider fetches, searches or runs passes by the walls of the cell: the address alone carries out
 * whatever is written into it.
 */
export function serverSideToolIn(call: unknown): string | undefined {
  const { tools, mcp_servers, messages, system } = partsOf(call);
  if (listOf(mcp_servers).length > 0) return 'mcp_servers';
  const types = listOf(tools).map((tool) => partsOf(tool)['type']);
  const tool = types.findIndex((type) => !isRunByTheClient(type));
  if (tool >= 0) return `tools[${tool}] is ${String(types[tool]).slice(0, 60)}`;
  const contents = [system, ...listOf(messages).map((message) => partsOf(message)['content'])];
  return contents.some(isFetched) ? 'content by its address or as a file' : undefined;
}

/** Kinds of tools whose calls come back to the client; a new kind is one of the others until it is known. */
const RUN_BY_THE_CLIENT = /^(custom|(bash|text_editor|computer|memory|tool_search_tool_\w+)_\d+)$/;

function isRunByTheClient(type: unknown): boolean {
  return type === undefined || type === null || RUN_BY_THE_CLIENT.test(String(type));
}

const HELD_IN_THE_CALL: readonly unknown[] = ['base64', 'text', 'content'];

/** Blocks hold blocks: results of tools, and documents that are made of others. */
function isFetched(content: unknown): boolean {
  if (content === undefined || content === null || typeof content === 'string') return false;
  return listOf(content).some((each) => {
    const { type, source, content: inner } = partsOf(each);
    if (type === 'tool_use') return false;
    if (type === 'container_upload' || isFetched(inner)) return true;
    if (typeof source !== 'object' || source === null) return false;
    const parts = partsOf(source);
    return !HELD_IN_THE_CALL.includes(parts['type']) || isFetched(parts['content']);
  });
}

/** What stands where a list is due counts as one too, however a provider would take it. */
function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function partsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
