import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { allowsTool, builtInTools } from './agent-tools.ts';

describe('the tools of an agent', () => {
  test('a list of allowed tools takes away tools and never adds one', () => {
    const allowedTools = ['Read', 'Write', 'WebFetch'];
    assert.deepEqual(builtInTools({ mayWrite: true, allowedTools }), ['Read', 'Write']);
    assert.deepEqual(builtInTools({ mayWrite: false, allowedTools }), ['Read']);
  });

  test('an entry allows one tool of an MCP server, or the whole server', () => {
    const may = (name: string, tool: string) => allowsTool([name], tool);
    assert.equal(may('mcp__web__get', 'mcp__web__get'), true);
    assert.equal(may('mcp__web__get', 'mcp__web__put'), false);
    assert.equal(may('mcp__web', 'mcp__web__put'), true);
    assert.equal(may('mcp__web', 'mcp__website__put'), false);
    assert.equal(may('mcp__web', 'Bash'), false);
    assert.equal(allowsTool(null, 'mcp__web__put'), true);
  });
});
