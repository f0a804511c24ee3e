import type { AgentJob } from '../../ports/agent.ts';
import type { Cell } from '../../ports/cell.ts';

/**
 * The complete environment of the agent's program. Nothing of the worker's own environment is passed
 * on; PATH and HOME are the cell's.
 */
export function environmentFor({ cell, env, modelToken }: AgentJob): Record<string, string> {
  const { home } = cell.paths;
  return {
    ...env,
    ...FIXED_VARIABLES,
    ANTHROPIC_BASE_URL: cell.proxies.gateway ?? NO_GATEWAY,
    ANTHROPIC_API_KEY: modelToken ?? '',
    CLAUDE_CONFIG_DIR: configFolder(cell),
    XDG_CONFIG_HOME: `${home}/.config`,
    XDG_CACHE_HOME: `${home}/.cache`,
    XDG_DATA_HOME: `${home}/.local/share`,
    ...proxyFor(cell.proxies.egress),
  };
}

export function configFolder({ paths }: Cell): string {
  return `${paths.home}/.claude`;
}

/** Variables that the SDK adds for its own program; any others are dropped. */
export function isSdkVariable(name: string): boolean {
  return name.startsWith('CLAUDE_') || name.startsWith('ANTHROPIC_') || name === 'DEBUG_SDK';
}

/** A cell without a gateway has no model; the discard port refuses at once. */
const NO_GATEWAY = 'http://127.0.0.1:9';

const FIXED_VARIABLES = {
  // Without it the program contacts its vendor's hosts and makes a call of its own.
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  CLAUDE_CODE_DISABLE_CLAUDE_MDS: '1',
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
  CLAUDE_CODE_DISABLE_BUNDLED_SKILLS: '1',
  // The hall judges a command in the work folder; without this it would run where an earlier one went.
  CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR: '1',
  DISABLE_AUTOUPDATER: '1',
  LANG: 'C.UTF-8',
  TERM: 'dumb',
  CI: 'true',
  GIT_TERMINAL_PROMPT: '0',
  // No one can close an editor, which `git rebase --continue` opens.
  GIT_EDITOR: 'true',
} as const;

function proxyFor(egress: string | null): Record<string, string> {
  if (egress === null) return {};
  const bypass = { NO_PROXY: 'localhost,127.0.0.1,::1', no_proxy: 'localhost,127.0.0.1,::1' };
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'];
  return { ...bypass, ...Object.fromEntries(names.map((name) => [name, egress])) };
}
