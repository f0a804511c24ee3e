import type { McpServer as McpServerOut, Persona as PersonaOut } from '../../api/pool.ts';
import type { Board } from '../../domain/board.ts';
import type { McpServer, Persona } from '../../domain/persona.ts';

export function personaView(
  board: Board,
  { slug, settings, declared, retired }: Persona,
): PersonaOut {
  const type = board.types.get(settings.type)?.settings;
  return {
    slug,
    display_name: settings.displayName,
    type: settings.type,
    model: settings.model ?? type?.model ?? null,
    model_from: settings.model === null ? 'type' : 'persona',
    max_turns: settings.maxTurns ?? type?.maxTurns ?? null,
    max_turns_from: settings.maxTurns === null ? 'type' : 'persona',
    max_retries: settings.maxRetries,
    author: settings.author,
    teams: [...settings.teams],
    roles: [...settings.roles],
    domains: [...settings.domains],
    scope_summary: settings.scopeSummary,
    mcp_servers: settings.mcpServers.map(mcpServerView),
    allowed_tools: settings.allowedTools && [...settings.allowedTools],
    declared,
    retired,
  };
}

export function mcpServerView(server: McpServer): McpServerOut {
  return 'url' in server
    ? { name: server.name, command: null, url: server.url }
    : { name: server.name, command: [...server.command], url: null };
}
