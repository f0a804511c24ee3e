import { listsLoadNothing } from './arrows.ts';
import { clientLoadsNoLibrary } from './client-imports.ts';
import { closedListsStandOnce } from './closed-lists.ts';
import { exportsAreUsed } from './dead-exports.ts';
import type { Guarded } from './guarded.ts';

/** What one file gives to others: lists, types and everything else that is exported. */
export const SHARING_GUARDS: Readonly<Record<string, Guarded>> = {
  'a list that the API shares with the domain imports nothing at run time': {
    guard: listsLoadNothing,
    refused: [
      ['src/domain/task.ts', "import { nameOf } from './ids.ts';"],
      ['src/domain/size.ts', "import { type Duration } from './ids.ts';"],
    ],
    allowed: [
      ['src/domain/task.ts', "import type { TaskId } from './ids.ts';"],
      ['src/domain/claiming.ts', "import { nameOf } from './ids.ts';"],
    ],
  },
  'the client loads no schema at run time': {
    guard: clientLoadsNoLibrary,
    refused: [
      ['src/api/client.ts', "import { z } from 'zod';"],
      ['src/api/client.ts', "import { ROUTES } from './routes.ts';"],
      ['src/api/client.ts', "import { type OperationId } from './routes.ts';"],
      ['src/api/client.ts', "const { ROUTES } = await import('./routes.ts');"],
      ['src/api/client.ts', "import { gone } from './gone.ts';"],
      ['src/api/renamed-client.ts', ''],
    ],
    allowed: [
      ['src/api/client.ts', "import type { z } from 'zod';"],
      ['src/api/client.ts', "import type { OperationId } from './routes.ts';"],
      ['src/api/client.ts', "type Route = import('./routes.ts').Route;"],
    ],
    beside: [{ path: 'src/api/routes.ts', text: "import { z } from 'zod';" }],
  },
  'a closed list is written once': {
    guard: closedListsStandOnce,
    refused: [
      ['src/api/words.ts', "export const Size = z.enum(['S', 'M', 'L']);"],
      ['src/cli/add.ts', "const SIZES = ['L', 'M', 'S'] as const;"],
      ['src/cli/add.ts', "const option = { flags: '--size', choices: ['S', 'M', 'L'] };"],
      ['src/ports/store.ts', "export interface Query { size: 'S' | 'M' | 'L' }"],
      ['src/api/words.ts', "const ALL = ['XS', 'S', 'M', 'L'] as const;"],
    ],
    allowed: [
      [
        'src/api/words.ts',
        "import { SIZES } from '../domain/size.ts'; const Size = z.enum(SIZES);",
      ],
      ['src/domain/task.ts', "export const SMALL = ['S', 'M'] as const;"],
      ['src/http/policy.ts', "const FITS = { any: ['S', 'M', 'L'], small: ['S'] };"],
      ['src/api/words.test.ts', "const all = ['S', 'M', 'L'];"],
    ],
    beside: [
      {
        path: 'src/domain/size.ts',
        text: "const SIZES = ['S', 'M', 'L'] as const; const ALL_SIZES = ['XS', ...SIZES] as const;",
      },
    ],
  },
  'every export is used': {
    guard: exportsAreUsed,
    refused: [
      ['src/domain/lease.ts', 'export const HEARTBEAT_EVERY = 180_000;'],
      ['src/domain/lease.ts', 'export const EVERY = 1; export const used = () => EVERY;'],
      ['src/domain/lease.ts', 'export function tested() {}'],
      ['src/domain/lease.ts', 'export interface Lease { until: number }'],
      ['src/domain/lease.ts', 'export type Lease = 1;'],
      ['src/domain/lease.ts', 'export class Lease {}'],
      ['src/domain/lease.ts', 'const a = 1; export { a };'],
    ],
    allowed: [
      ['src/domain/lease.ts', 'export function used() {}'],
      ['src/domain/lease.ts', 'export function tested() {} export const used = tested;'],
      ['src/domain/lease.ts', 'const EVERY = 1; export const used = () => EVERY;'],
      ['src/domain/lease.test.ts', 'export const mine = 1;'],
    ],
    beside: [
      { path: 'src/domain/claiming.ts', text: "import { used } from './lease.ts';" },
      { path: 'src/domain/claiming.test.ts', text: "import { tested } from './lease.ts';" },
    ],
  },
};
