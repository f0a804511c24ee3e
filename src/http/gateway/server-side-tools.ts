/**
 * The part of a call that makes the provider reach out itself; undefined if there is none. What a
 * provider fetches, searches or runs bypasses the isolation of the cell: a URL alone can leak
 * whatever is written into it.
 */
export function serverSideToolIn(call: unknown): string | undefined {
  const { tools, mcp_servers, messages, system } = partsOf(call);
  if (listOf(mcp_servers).length > 0) return 'mcp_servers';
  const types = listOf(tools).map((tool) => partsOf(tool)['type']);
  const tool = types.findIndex((type) => !isRunByTheClient(type));
  if (tool >= 0) return `tools[${tool}] is ${String(types[tool]).slice(0, 60)}`;
  const contents = [system, ...listOf(messages).map((message) => partsOf(message)['content'])];
  return contents.some(isFetched) ? 'content given as a URL or a file id' : undefined;
}

/** Tool types whose calls come back to the client; unknown types count as run by the provider. */
const RUN_BY_THE_CLIENT = /^(custom|(bash|text_editor|computer|memory|tool_search_tool_\w+)_\d+)$/;

function isRunByTheClient(type: unknown): boolean {
  return type === undefined || type === null || RUN_BY_THE_CLIENT.test(String(type));
}

const HELD_IN_THE_CALL: readonly unknown[] = ['base64', 'text', 'content'];

/** Blocks can nest: tool results, and documents made of other blocks. */
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

/** A single value in place of a list counts as a list, however the provider would read it. */
function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function partsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
