import { findProgram } from '../../src/adapters/claude/sdk.ts';

/**
 * Why suites with real agents are skipped, or false. They need the optional Agent SDK, which
 * `npm test` announces as GUILDHALL_TEST_AGENT_SDK.
 */
export function withoutAgentSdk(): string | false {
  const program = findProgram();
  return 'missing' in program ? program.missing : false;
}
