import type { Cell } from './cell.ts';

/** A backend that lets a model work on one task inside a cell. */
export interface AgentRunner {
  /** How it is called in the configuration. */
  readonly name: string;
  /** Why it cannot run on this machine, with the way out; null when it can. */
  readonly missing: string | null;
  /** Paths of the host that its program needs to read, made readable inside its cells. */
  readonly readable?: readonly string[];
  /**
   * Works until the agent stops, fails or is told to stop; never throws for what the agent or its model
   * did. When it answers, nothing of the agent is alive.
   */
  run(job: AgentJob, around: RunCallbacks): Promise<AgentEnd>;
}

export interface AgentJob {
  readonly cell: Cell;
  /** What holds for every task of this agent, and the task itself. */
  readonly prompt: { readonly system: string; readonly task: string };
  readonly model: string;
  readonly maxTurns: number;
  /** Opens the cell's gateway and nothing else. */
  readonly modelToken: string;
  /** The conversation to go on with; null begins one. */
  readonly session: Session | null;
  /** Where the backend's own programs are seen in the cell; left out, at their paths on the host. */
  readonly inside?: (path: string) => string;
  readonly mayWrite: boolean;
  readonly tools: readonly HallTool[];
}

/** A conversation in the backend's own form, kept by the hall between runs. */
export interface Session {
  readonly id: string;
  readonly history: string;
}

/** Something the hall lets an agent do; the agent sees name, description and parameters. */
export interface HallTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** What happens around the agent while it works. */
export interface RunCallbacks {
  /** Asked before every call of a tool that is not the hall's own; the agent waits for the answer. */
  authorize(call: ToolCall): Promise<Permission>;
  /** Does what a tool of the hall stands for and answers what the agent reads. */
  callTool(tool: string, input: unknown): Promise<ToolResult>;
  /** A piece of the transcript. */
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
  /** The agent reads why. */
  | { readonly may: false; readonly because: string };

export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
  /** The agent has nothing more to do: its run ends after this call. */
  readonly ends: boolean;
}

/** One line of a transcript, as it is stored and searched. */
export interface TranscriptEntry {
  readonly kind: 'agent' | 'thinking' | 'tool_call' | 'tool_result' | 'hall' | 'error';
  readonly text: string;
}

/** How the agent ended, by what the backend saw. What it made and spent is judged elsewhere. */
export type AgentEnd = { readonly turns: number; readonly session: Session | null } & (
  | { readonly how: 'stopped' }
  | { readonly how: 'max_turns' }
  | { readonly how: 'aborted' }
  /** The model could not be asked, or the agent's program did not live to its end: told apart by `why`. */
  | {
      readonly how: 'failed';
      readonly why:
        | 'quota'
        | 'auth'
        | 'overloaded'
        | 'refused'
        | 'session_lost'
        /** It ran into a limit of its cell, and would again. */
        | 'limit'
        | 'crashed';
      readonly because: string;
      /** When a limit opens again, in milliseconds since 1970, where it was said. */
      readonly resetsAt: number | null;
    }
);
