import type { ToolScope } from '../domain/agent-tools.ts';
import type { Env } from '../domain/env.ts';
import type { McpServer } from '../domain/persona.ts';
import type { Cell } from './cell.ts';

/** A backend that runs a model on one task inside a cell. */
export interface AgentRunner {
  /** Its name in the configuration. */
  readonly name: string;
  /** Why it cannot run on this machine and how to fix that; null when it can. */
  readonly missing: string | null;
  /** Host paths that its program must be able to read inside its cells. */
  readonly readable?: readonly string[];
  /**
   * Runs until the agent stops, fails or is aborted. Never throws because of the agent or its model. No
   * process of the agent is left when it resolves.
   */
  run(job: AgentJob, around: RunCallbacks): Promise<AgentEnd>;
}

export interface AgentJob extends ToolScope {
  readonly cell: Cell;
  /** The operator's variables; those that the backend sets itself come first. */
  readonly env: Env;
  /** `system` applies to every task of this agent; `task` is this one. */
  readonly prompt: { readonly system: string; readonly task: string };
  readonly model: string;
  readonly maxTurns: number;
  /** Valid for the cell's gateway only; null for an agent that calls no model there. */
  readonly modelToken: string | null;
  /** The conversation to resume; null starts one. */
  readonly session: Session | null;
  /** Maps a host path of the backend's programs to its path in the cell; by default they are the same. */
  readonly inside?: (path: string) => string;
  readonly mcpServers: readonly McpServer[];
  readonly tools: readonly HallTool[];
}

/** A conversation in the backend's own format; the hall keeps it between runs. */
export interface Session {
  readonly id: string;
  readonly history: string;
}

/** A tool that the hall offers; the agent sees its name, description and parameters. */
export interface HallTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** What a runner calls while the agent works. */
export interface RunCallbacks {
  /** Called before every tool call except those of hall tools; the agent waits for the result. */
  authorize(call: ToolCall): Promise<Permission>;
  /** Executes a hall tool and returns the text that the agent reads. */
  callTool(tool: string, input: unknown): Promise<ToolResult>;
  record(entry: TranscriptEntry): void;
  readonly stop: AbortSignal;
}

export interface ToolCall {
  readonly id: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export type Permission =
  | { readonly may: true }
  /** The agent reads `because`. */
  | { readonly may: false; readonly because: string };

export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
  /** The run ends after this call. */
  readonly ends: boolean;
}

/** One transcript entry, in the form that is stored and searched. */
export interface TranscriptEntry {
  readonly kind: 'agent' | 'thinking' | 'tool_call' | 'tool_result' | 'hall' | 'error';
  readonly text: string;
}

/** How the agent ended, as the backend saw it. Its work and its cost are judged elsewhere. */
export type AgentEnd = { readonly turns: number; readonly session: Session | null } & (
  | { readonly how: 'stopped' }
  | { readonly how: 'max_turns' }
  | { readonly how: 'aborted' }
  /** Model calls failed or the agent's program died; `why` says which. */
  | {
      readonly how: 'failed';
      readonly why:
        | 'quota'
        | 'auth'
        | 'overloaded'
        | 'refused'
        | 'session_lost'
        /** It hit a limit of its cell; a retry would too. */
        | 'limit'
        | 'crashed';
      readonly because: string;
      /** When the limit resets, in milliseconds since 1970; null if the provider did not say. */
      readonly resetsAt: number | null;
    }
);
