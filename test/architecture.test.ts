import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { arrows, foldersHaveRules } from './support/guards/arrows.ts';
import type { Guarded } from './support/guards/guarded.ts';
import { architecturePageIsTrue } from './support/guards/layout.ts';
import { noBarrels, noDefaultExports } from './support/guards/names.ts';
import {
  commandsAreNamedInOnePlace,
  environmentIsReadInConfig,
  faultsAreCaughtInFewPlaces,
  filesAreReplacedDurably,
  noCatchIsEmpty,
  nothingUsesTheConsole,
  ownersAreSetWithoutLinks,
  processIsUsedInMain,
  statesAreComparedInDomain,
} from './support/guards/places.ts';
import { domainIsPure, domainNeverWaits, useCasesAskPorts } from './support/guards/purity.ts';
import { SHARING_GUARDS } from './support/guards/sharing.ts';
import { filesAreShort, functionsAreShort } from './support/guards/size.ts';
import { readTree } from './support/tree.ts';

const tooLong = (lines: number) => 'const a = 1;\n'.repeat(lines);
const longFunction = `export function claim() {\n${tooLong(60)}}\n`;
const drawing = (tree: string) => `# Architecture\n\n## Layout\n\n\`\`\`\n${tree}\`\`\`\n`;

const GUARDS: Readonly<Record<string, Guarded>> = {
  'each folder imports only what its rule names': {
    guard: arrows,
    refused: [
      ['src/domain/task.ts', "import { z } from 'zod';"],
      ['src/domain/task.ts', "import { readFileSync } from 'node:fs';"],
      ['src/domain/task.ts', "import type { Store } from '../ports/store.ts';"],
      ['src/domain/task.ts', "type Store = import('../ports/store.ts').Store;"],
      ['src/domain/task.test.ts', "import { openHall } from '../main/server.ts';"],
      ['src/ports/store.ts', "import { claimNext } from '../board/claim-next.ts';"],
      ['src/board/claim-next.ts', "import { openSqlite } from '../adapters/sqlite/store.ts';"],
      ['src/board/claim-next.ts', "import { randomUUID } from 'node:crypto';"],
      ['src/board/claim-next.ts', "import * as crypto from 'node:crypto';"],
      ['src/board/claim-next.ts', "const fs = await import('node:fs/promises');"],
      ['src/board/claim-next.ts', "import { given } from '../../test/support/given.ts';"],
      ['src/worker/run-task.ts', "import { claimNext } from '../board/claim-next.ts';"],
      ['src/adapters/sqlite/store.ts', "import { openPostgres } from '../postgres/store.ts';"],
      ['src/adapters/sqlite/store.ts', "import pg from 'pg';"],
      ['src/adapters/github/webhooks.ts', "import { rows } from '../sql/rows.ts';"],
      ['src/adapters/git/git.ts', "import { claimNext } from '../../board/claim-next.ts';"],
      ['src/api/task.ts', "import type { Task } from '../domain/task.ts';"],
      ['src/api/task.ts', "import { TASK_STATES, hasEnded } from '../domain/task.ts';"],
      ['src/api/task.ts', "import * as task from '../domain/task.ts';"],
      ['src/api/task.ts', "import { RULES } from '../domain/claiming.ts';"],
      ['src/api/client.ts', "import { request } from 'node:http';"],
      ['src/queries/health.ts', "import { problem } from '../http/problem.ts';"],
      ['src/queries/health.ts', "import { openSqlite } from '../adapters/sqlite/store.ts';"],
      ['src/queries/health.ts', "import type { IncomingMessage } from 'node:http';"],
      ['src/queries/health.ts', "import { z } from 'zod';"],
      ['src/board/claim-next.ts', "import { healthOf } from '../queries/health.ts';"],
      ['src/api/client.ts', "import { healthOf } from '../queries/health.ts';"],
      ['src/http/app.ts', "import { openSqlite } from '../adapters/sqlite/store.ts';"],
      ['src/http/app.ts', "export { Config } from '../config/schema.ts';"],
      ['src/config/load.ts', "import { openHall } from '../main/server.ts';"],
      ['src/cli/claim.ts', "import { claimNext } from '../board/claim-next.ts';"],
      ['src/cli/claim.ts', "import { isOver } from '../domain/task.ts';"],
      ['src/main/server.ts', "import pg from 'pg';"],
    ],
    allowed: [
      ['src/domain/task.ts', "import type { TaskId } from './ids.ts';"],
      ['src/api/task.ts', "import { TASK_STATES } from '../domain/task.ts';"],
      ['src/cli/claim.ts', "import { TASK_STATES } from '../domain/task.ts';"],
      ['src/domain/task.test.ts', "import { given } from '../../test/support/given.ts';"],
      ['src/board/claim-next.ts', "import { createHash } from 'node:crypto';"],
      ['src/board/claim-next.ts', "import { claim } from '../domain/claiming.ts';"],
      ['src/board/claim-next.test.ts', "import { openMemory } from '../adapters/memory/store.ts';"],
      ['src/queries/health.ts', "import type { Health } from '../api/seeing.ts';"],
      ['src/queries/health.ts', "import type { Hall } from '../board/hall.ts';"],
      ['src/http/app.ts', "import { healthOf } from '../queries/health.ts';"],
      ['src/mcp/tools.ts', "import { healthOf } from '../queries/health.ts';"],
      ['src/actions/summary.ts', "import { healthOf } from '../queries/health.ts';"],
      ['src/adapters/sqlite/store.ts', "import { rows } from '../sql/rows.ts';"],
      ['src/adapters/forgejo/webhooks.ts', "import { hmacMatches } from '../forge/signature.ts';"],
      ['src/main/server.ts', "import { openSqlite } from '../adapters/sqlite/store.ts';"],
    ],
  },
  ...SHARING_GUARDS,
  'a folder needs a rule': {
    guard: foldersHaveRules,
    refused: [
      ['src/utils/text.ts', ''],
      ['src/services/claim.ts', ''],
      ['src/adapters/redis/store.ts', ''],
      ['src/server.ts', ''],
      ['src/adapters/store.ts', ''],
      ['test/unit/task.test.ts', ''],
    ],
    allowed: [
      ['src/domain/tsconfig.json', '{}'],
      ['src/adapters/sqlite/store.ts', ''],
      ['test/docs.test.ts', ''],
      ['test/contracts/store.contract.ts', ''],
      ['test/support/guards/arrows.ts', ''],
    ],
  },
  'domain uses neither the clock nor randomness': {
    guard: domainIsPure,
    refused: [
      ['src/domain/lease.ts', 'export const now = Date.now();'],
      ['src/domain/lease.ts', 'export const now = new Date();'],
      ['src/domain/lease.ts', 'export const now = Date();'],
      ['src/domain/lease.ts', 'export const dice = Math.random();'],
      ['src/domain/lease.ts', 'export const id = crypto.randomUUID();'],
      ['src/domain/lease.ts', 'setTimeout(() => 1, 1);'],
      ['src/domain/lease.ts', 'const wait = { later: setInterval };'],
      ['src/domain/lease.ts', 'export const from = performance.now();'],
      ['src/domain/lease.ts', 'export const day = new Date(0).getDay();'],
      ['src/domain/lease.ts', 'export const text = (1).toLocaleString();'],
    ],
    allowed: [
      ['src/domain/lease.ts', 'export const monday = Date.UTC(2025, 0, 6);'],
      ['src/domain/lease.ts', 'export const day = new Date(0).getUTCDay();'],
      ['src/domain/lease.ts', 'export interface Needs { process: string }'],
      ['src/domain/lease.test.ts', 'export const now = Date.now();'],
    ],
  },
  'a decision is synchronous': {
    guard: domainNeverWaits,
    refused: [
      ['src/domain/claiming.ts', 'export async function claim() {}'],
      ['src/domain/claiming.ts', 'export const claim = await 1;'],
      ['src/domain/claiming.ts', 'export function claim(): Promise<void> { return f(); }'],
    ],
    allowed: [['src/domain/claiming.ts', 'export function claim() {}']],
  },
  'use cases reach the clock, randomness and the network through ports': {
    guard: useCasesAskPorts,
    refused: [
      ['src/board/claim-next.ts', 'export const now = Date.now();'],
      ['src/board/claim-next.ts', 'export const dice = Math.random();'],
      ['src/board/release-expired.ts', 'setInterval(() => 1, 1000);'],
      ['src/worker/run-task.ts', 'await new Promise((done) => setTimeout(done, 10));'],
      ['src/worker/run-task.ts', 'export const from = performance.now();'],
      ['src/worker/run-task.ts', "await fetch('http://example.org');"],
      ['src/worker/run-task.ts', 'export const signal = AbortSignal.timeout(10);'],
      ['src/board/claim-next.ts', 'setImmediate(() => 1);'],
      ['src/queries/health.ts', 'export const now = Date.now();'],
      ['src/queries/health.ts', 'setTimeout(() => 1, 10);'],
    ],
    allowed: [
      ['src/board/claim-next.ts', 'export const now = ({ clock }) => clock.now();'],
      ['src/worker/run-task.ts', 'export const get = ({ fetch }) => fetch(1);'],
      ['src/queries/graph.ts', 'await new Promise((resolve) => setImmediate(resolve));'],
      ['src/adapters/system/clock.ts', 'export const now = () => Date.now();'],
    ],
  },
  'only domain compares task states with literals': {
    guard: statesAreComparedInDomain,
    refused: [
      ['src/board/claim-next.ts', "export const may = task.state === 'available';"],
      ['src/board/claim-next.ts', "export const may = 'available' !== task.state;"],
      ['src/board/claim-next.ts', "export const may = task.state.is === 'claimed';"],
      ['src/board/claim-next.ts', "export const may = task?.state.kind === 'claimed';"],
      ['src/http/views.ts', "switch (task.state) { case 'running': break; }"],
      ['src/http/views.ts', "export const isOver = ['failed', 'completed'].includes(state.is);"],
      ['src/cli/board.ts', "export const isOver = row.status === 'failed';"],
    ],
    allowed: [
      ['src/domain/task.ts', "export const may = task.state === 'available';"],
      ['src/http/views.ts', "export const isUp = socket.state === 'open';"],
      ['src/board/claim-next.test.ts', "const mine = tasks.filter((t) => t.state === 'claimed');"],
    ],
  },
  'commands in sentences of the hall are named in one place': {
    guard: commandsAreNamedInOnePlace,
    refused: [
      ['src/domain/task.ts', 'const a = `retry it with: guildhall task retry`;'],
      ['src/main/anchors.ts', "const a = 'see: guildhall restore FILE';"],
      ['src/cli/start.ts', "const a = 'npx guildhall board';"],
    ],
    allowed: [
      ['src/domain/task.ts', "const a = operatorCommand('task retry', id);"],
      ['src/cli/start.ts', "const examples = ['guildhall start'];"],
    ],
  },
  'only config reads the environment': {
    guard: environmentIsReadInConfig,
    refused: [
      ['src/main/server.ts', 'export const home = process.env.HOME;'],
      ['src/main/server.ts', "export const home = process['env'];"],
      ['src/cli/main.ts', "import { env } from 'node:process';"],
      ['src/adapters/postgres/store.test.ts', 'const url = process.env.URL;'],
    ],
    allowed: [['src/config/read-environment.ts', 'export const home = process.env.HOME;']],
  },
  'nothing uses the console': {
    guard: nothingUsesTheConsole,
    refused: [
      ['src/http/app.ts', "console.log('up');"],
      ['src/cli/board.ts', "console.log('up');"],
    ],
    allowed: [['src/cli/board.ts', "out.say('up');"]],
  },
  'only src/cli/main.ts uses the process object': {
    guard: processIsUsedInMain,
    refused: [
      ['src/cli/board.ts', "process.stdout.write('up');"],
      ['src/cli/board.ts', 'process.exit(1);'],
      ['src/main/run-server.ts', "process.on('SIGTERM', end);"],
      ['src/main/play-script.ts', "await once(process, 'SIGTERM');"],
      ['src/config/environment-overrides.ts', 'export const here = process.cwd();'],
    ],
    allowed: [
      ['src/cli/main.ts', 'export const here = process.cwd();'],
      ['src/cli/version.ts', 'export const node = process.versions.node;'],
      ['src/main/run-server.ts', "signals.on('SIGTERM', end);"],
    ],
  },
  'owners are set without following links': {
    guard: ownersAreSetWithoutLinks,
    refused: [
      ['src/adapters/a.ts', 'chownSync(folder, 1, 1);'],
      ['src/adapters/a.ts', 'await chown(folder, 1, 1);'],
    ],
    allowed: [['src/adapters/a.ts', 'lchownSync(folder, 1, 1);']],
  },
  'files are replaced by one function that syncs them': {
    guard: filesAreReplacedDurably,
    refused: [
      ['src/main/token-file.ts', "renameSync('token.part', 'token');"],
      ['src/adapters/git/mirror.ts', "import { rename } from 'node:fs/promises';"],
      ['src/adapters/git/mirror.ts', 'const fs = { rename: rename };'],
    ],
    allowed: [
      ['src/adapters/files/write-durably.ts', 'await rename(from, to);'],
      ['src/adapters/forge-emulator/a.ts', "const event = { rename: { from: 'a', to: 'b' } };"],
    ],
  },
  'faults are caught in few places': {
    guard: faultsAreCaughtInFewPlaces,
    refused: [
      ['src/domain/task.ts', 'try { f(); } catch (error) { g(error); }'],
      ['src/board/claim-next.ts', 'try { f(); } catch { g(); }'],
      ['src/worker/run-task.ts', 'f().catch(g);'],
      ['src/api/client.ts', 'f().catch(g);'],
    ],
    allowed: [
      ['src/board/maintenance.ts', 'try { f(); } catch { g(); }'],
      ['src/worker/work-loop.ts', 'try { f(); } catch { g(); }'],
      ['src/adapters/git/git.ts', 'f().catch(g);'],
      ['src/board/claim-next.ts', 'try { f(); } finally { g(); }'],
    ],
  },
  'no catch block is empty': {
    guard: noCatchIsEmpty,
    refused: [['src/adapters/git/git.ts', 'try { f(); } catch { /* it may be gone */ }']],
    allowed: [['src/adapters/git/git.ts', 'try { f(); } catch { g(); }']],
  },
  'there are no default exports': {
    guard: noDefaultExports,
    refused: [
      ['src/board/claim-next.ts', 'export default function claim() {}'],
      ['src/board/claim-next.ts', 'const a = 1; export default a;'],
    ],
    allowed: [['src/board/claim-next.ts', 'export function claim() {}']],
  },
  'there are no re-exports': {
    guard: noBarrels,
    refused: [
      ['src/board/index.ts', ''],
      ['src/board/all.ts', "export * from './claim-next.ts';"],
      ['src/board/all.ts', "export { claimNext } from './claim-next.ts';"],
      ['src/board/all.ts', "export type { Claimed } from './claim-next.ts';"],
    ],
    allowed: [['src/board/claim-next.ts', 'const a = 1; export { a };']],
  },
  'files are at most 400 lines': {
    guard: filesAreShort,
    refused: [['src/board/claim-next.ts', tooLong(401)]],
    allowed: [['src/board/claim-next.ts', tooLong(400)]],
  },
  'functions are at most 60 lines': {
    guard: functionsAreShort,
    refused: [
      ['src/board/claim-next.ts', longFunction],
      ['src/board/claim-next.ts', `export const claim = () => {\n${tooLong(60)}};`],
      ['src/board/claim-next.ts', `export class Claim {\n  make() {\n${tooLong(60)}}\n}`],
      ['src/board/claim-next.ts', `export class Claim {\n  constructor() {\n${tooLong(60)}}\n}`],
      ['src/board/claim-next.ts', `export const claim = { make: () => {\n${tooLong(60)}} };`],
      ['src/board/claim-next.ts', `export function all() {\nit('a', 1);\n${tooLong(60)}}`],
    ],
    allowed: [
      ['src/board/claim-next.ts', `export function claim() {\n${tooLong(58)}}`],
      [
        'test/contracts/a.contract.ts',
        `export function a() {\nit('b', () => {\n${tooLong(70)}});}`,
      ],
    ],
  },
  'ARCHITECTURE.md draws the folders that exist': {
    guard: architecturePageIsTrue,
    refused: [
      ['src/domain/task.ts', ''],
      ['ARCHITECTURE.md', drawing('src/\n  domain/    what is true\n')],
    ],
    allowed: [['ARCHITECTURE.md', drawing('README.md\n')]],
  },
};

const tree = readTree();

for (const [rule, { guard, refused, allowed, beside = [] }] of Object.entries(GUARDS)) {
  describe(rule, () => {
    it(`${rule}: holds in this repository`, () => {
      assert.deepEqual(guard(tree), []);
    });

    it(`${rule}: a violation is found`, () => {
      for (const [path, text] of refused) {
        assert.notDeepEqual(
          guard([{ path, text }, ...beside]),
          [],
          `${path} was let through: ${text}`,
        );
      }
    });

    it(`${rule}: good code passes`, () => {
      for (const [path, text] of allowed) {
        assert.deepEqual(guard([{ path, text }, ...beside]), [], text);
      }
    });
  });
}

describe('ARCHITECTURE.md', () => {
  it('ARCHITECTURE.md is compared with the tree in both directions', () => {
    const page = { path: 'ARCHITECTURE.md', text: drawing('src/\n  domain/  a\n  ports/  b\n') };
    const files = [page, { path: 'src/domain/a.ts', text: '' }, { path: 'src/api/a.ts', text: '' }];

    assert.deepEqual(architecturePageIsTrue(files), [
      'src/api/ is not drawn in ARCHITECTURE.md',
      'ARCHITECTURE.md draws src/ports/, which does not exist',
    ]);
  });
});
