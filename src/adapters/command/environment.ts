import type { AgentJob } from '../../ports/agent.ts';

/** The command's environment besides PATH and HOME, which are the cell's. */
export function environmentFor(
  { cell, env, model, modelToken, mayWrite }: AgentJob,
  result: string,
): Record<string, string> {
  const { gateway, egress } = cell.proxies;
  return {
    ...env,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    CI: 'true',
    GIT_TERMINAL_PROMPT: '0',
    GUILDHALL_RESULT: result,
    GUILDHALL_MODEL: model,
    GUILDHALL_MAY_WRITE: mayWrite ? '1' : '0',
    ...(gateway !== null &&
      modelToken !== null && { ANTHROPIC_BASE_URL: gateway, ANTHROPIC_API_KEY: modelToken }),
    ...(egress !== null && {
      HTTP_PROXY: egress,
      HTTPS_PROXY: egress,
      http_proxy: egress,
      https_proxy: egress,
      NO_PROXY: 'localhost,127.0.0.1,::1',
      no_proxy: 'localhost,127.0.0.1,::1',
    }),
  };
}
