import { after, before, describe } from 'node:test';
import type { ForgeServer } from '../support/forge-server.ts';
import { forgeChanges } from './forge-changes.ts';
import { forgeChecks } from './forge-checks.ts';
import { forgeIssues } from './forge-issues.ts';
import { forgeMerging } from './forge-merging.ts';
import { forgePulls } from './forge-pulls.ts';

/** Gives the server of the suite, which starts before its first test. */
export type TheServer = () => ForgeServer;

/**
 * What the hall relies on, on every forge with issues and pull requests. Each case has a repository of its
 * own. What a server cannot be made to do (hold back an answer, drop a connection) is tried on the emulated ones.
 */
export function forgeContract(name: string, start: () => Promise<ForgeServer>): void {
  describe(name, () => {
    let server: ForgeServer | undefined;
    before(async () => {
      server = await start();
    });
    after(() => server?.[Symbol.asyncDispose]());
    const the: TheServer = () => {
      if (!server) throw new Error('the server did not start');
      return server;
    };
    for (const part of [forgeIssues, forgePulls, forgeMerging, forgeChecks, forgeChanges])
      part(name, the);
  });
}
