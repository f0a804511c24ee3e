import type { Brief as BriefOut } from '../../api/briefs.ts';
import { limitsView } from '../../api/limits.ts';
import type { Brief } from '../../domain/brief.ts';
import type { StoredSession } from '../../ports/sessions.ts';
import { mcpServerView } from './persona.ts';

export function briefView(brief: Brief, session: StoredSession | null): BriefOut {
  const { agent, cell, prompt } = brief;
  const { repository: _, ...parts } = prompt;
  return {
    repo: brief.repo,
    base: brief.base,
    branch: brief.branch,
    head: brief.head,
    writes: brief.writes,
    agent: {
      instance: agent.instance,
      slug: agent.slug,
      model: agent.model,
      max_turns: agent.maxTurns,
      allowed_tools: agent.allowedTools && [...agent.allowedTools],
      mcp_servers: agent.mcpServers.map(mcpServerView),
      command: agent.backend.kind === 'command' ? [...agent.backend.argv] : null,
      needs_model: agent.needsModel,
      secret_env: [...agent.secretEnv],
      git: { ...agent.git },
      gpg_key: agent.gpgKey,
      co_author: agent.coAuthor,
    },
    cell: {
      isolation: cell.isolation,
      image: cell.image,
      limits: limitsView(cell.limits),
      network: [...cell.network],
      env: { ...cell.env },
      setup: [...cell.setup],
      copy: [...cell.copy],
    },
    prompt: {
      ...parts,
      words: { ...parts.words },
      thread: [...parts.thread],
      memory: [...parts.memory],
    },
    session,
  };
}
