import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { createUnisolatedCells } from '../../src/adapters/processes/unisolated-cells.ts';
import type {
  AgentJob,
  HallTool,
  Permission,
  RunCallbacks,
  ToolCall,
  ToolResult,
  TranscriptEntry,
} from '../../src/ports/agent.ts';
import type { Cell } from '../../src/ports/cell.ts';
import { NO_TENANT } from './no-tenant.ts';
import { type TempFolder, tempFolder } from './temp-folder.ts';

/** A cell without isolation, for tests of what runs in it. */
export interface AgentFixture extends AsyncDisposable {
  readonly cell: Cell;
  readonly folder: TempFolder;
}

/** Opens a cell whose gateway is a server on loopback, or that has none, and perhaps with a proxy to other hosts. */
export async function openAgentFixture(
  gateway: string | null = null,
  egress: string | null = null,
): Promise<AgentFixture> {
  if (gateway === null) return openAgentFixtureBehind(null);
  const folder = tempFolder();
  const socket = folder.file('gateway.sock');
  const server = await pipeTo(socket, Number(new URL(gateway).port));
  const room = await openAgentFixtureBehind(socket, egress);
  return {
    ...room,
    async [Symbol.asyncDispose]() {
      await room[Symbol.asyncDispose]();
      server.close();
      folder[Symbol.dispose]();
    },
  };
}

/** Opens a cell whose gateway is behind a socket. */
export async function openAgentFixtureBehind(
  socket: string | null,
  egress: string | null = null,
): Promise<AgentFixture> {
  const folder = tempFolder();
  const own = folder.file('cell');
  mkdirSync(own);
  const cells = createUnisolatedCells({ path: process.env['PATH'] ?? '/usr/bin:/bin' });
  const cell = await cells.open({
    name: 'room',
    folder: own,
    readable: [],
    sockets: {
      ...(socket !== null && { gateway: socket }),
      ...(egress !== null && { egress }),
    },
    limits: { cpus: null, memoryBytes: null, pids: null },
    tenant: NO_TENANT,
  });
  return {
    cell,
    folder,
    async [Symbol.asyncDispose]() {
      await cell[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

async function pipeTo(socket: string, port: number) {
  const server = createServer((inside) => {
    const outside = connect(port, '127.0.0.1');
    for (const end of [inside, outside]) end.on('error', () => undefined);
    inside.once('close', () => outside.destroy());
    outside.once('close', () => inside.destroy());
    inside.pipe(outside).pipe(inside);
  });
  server.listen(socket);
  await once(server, 'listening');
  return server;
}

/** What happened around an agent, kept for the assertions of a test. */
export interface RecordedCallbacks extends RunCallbacks {
  readonly asked: ToolCall[];
  readonly used: { readonly tool: string; readonly input: unknown }[];
  readonly transcript: TranscriptEntry[];
  /** Stops the agent. */
  abort(): void;
  /** Settles when the transcript holds an entry of this kind that matches. */
  hears(kind: TranscriptEntry['kind'], pattern: RegExp): Promise<void>;
}

interface Manners {
  may?(call: ToolCall): Promise<Permission>;
  use?(tool: string, input: unknown): Promise<ToolResult>;
}

export function recordCallbacks(manners: Manners = {}): RecordedCallbacks {
  const stopping = new AbortController();
  const waiting: { kind: string; pattern: RegExp; heard: () => void }[] = [];
  const transcript: TranscriptEntry[] = [];
  const asked: ToolCall[] = [];
  const used: { tool: string; input: unknown }[] = [];
  return {
    asked,
    used,
    transcript,
    stop: stopping.signal,
    abort: () => stopping.abort(),
    async authorize(call) {
      asked.push(call);
      return manners.may?.(call) ?? { may: true };
    },
    async callTool(tool, input) {
      used.push({ tool, input });
      return (
        manners.use?.(tool, input) ?? { text: 'noted', isError: false, ends: tool === 'report' }
      );
    },
    record(entry) {
      transcript.push(entry);
      for (const { kind, pattern, heard } of waiting) {
        if (entry.kind === kind && pattern.test(entry.text)) heard();
      }
    },
    hears: (kind, pattern) =>
      new Promise((heard) => {
        if (transcript.some((entry) => entry.kind === kind && pattern.test(entry.text))) heard();
        else waiting.push({ kind, pattern, heard });
      }),
  };
}

export const REPORT: HallTool = {
  name: 'report',
  description: 'Says what was done. The run ends after it.',
  parameters: {
    type: 'object',
    properties: {
      outcome: { type: 'string', enum: ['done', 'comment_posted'] },
      summary: { type: 'string', description: 'What was done, in a sentence or two.' },
    },
    required: ['summary'],
    additionalProperties: false,
  },
};

export const NOTE: HallTool = {
  name: 'note',
  description: 'Writes a line to the board.',
  parameters: {
    type: 'object',
    properties: { text: { type: 'string' } },
    required: ['text'],
    additionalProperties: false,
  },
};

export function jobIn(cell: Cell, more: Partial<AgentJob> = {}): AgentJob {
  return {
    cell,
    env: {},
    prompt: { system: 'You belong to a test.', task: 'Fix the bug.' },
    model: 'claude-sonnet-4-6',
    maxTurns: 20,
    modelToken: 'token-of-the-run',
    session: null,
    mayWrite: true,
    allowedTools: null,
    mcpServers: [],
    tools: [REPORT, NOTE],
    ...more,
  };
}
