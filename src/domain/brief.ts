import type { Env } from './env.ts';
import type { McpServer } from './persona.ts';
import type { Backend } from './pool.ts';
import type { Isolation, Limits } from './project.ts';
import type { PromptParts } from './prompt.ts';

/** Everything a worker of the hall needs to run an agent on a claimed task. */
export interface Brief {
  readonly repo: string | null;
  readonly base: string | null;
  readonly branch: string;
  /** The commit where earlier work in the thread left the branch; null when there is no branch yet. */
  readonly head: string | null;
  readonly writes: boolean;
  readonly agent: {
    readonly instance: string;
    readonly slug: string;
    readonly model: string;
    readonly maxTurns: number;
    /** Tools it may use of those that the task has; null means all. */
    readonly allowedTools: readonly string[] | null;
    readonly mcpServers: readonly McpServer[];
    readonly backend: Backend;
    /** Whether it calls models through the hall. */
    readonly needsModel: boolean;
    /** Names of the variables that hold secrets. */
    readonly secretEnv: readonly string[];
    readonly git: { readonly name: string; readonly email: string };
    readonly gpgKey: string | null;
    readonly coAuthor: string;
  };
  readonly cell: {
    readonly isolation: Isolation | null;
    /** The container image that provides the programs; null uses those of the host. */
    readonly image: string | null;
    readonly limits: Limits;
    readonly network: readonly string[];
    readonly env: Env;
    readonly setup: readonly string[];
    readonly copy: readonly string[];
  };
  readonly prompt: PromptParts;
}
