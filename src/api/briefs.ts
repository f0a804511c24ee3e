import { z } from 'zod';
import { Env } from './env.ts';
import { Fence, line, text } from './fields.ts';
import { Limits } from './limits.ts';
import { McpServer } from './pool.ts';

/** Text that does not come from the hall: material, never instruction. */
const Passage = z.object({ source: z.string(), author: z.string(), text: z.string() });

/** The agent's prompt in parts; the worker fills in `{{words}}` in the first four. */
const PromptParts = z
  .object({
    contract: z.string(),
    persona: z.string().nullable(),
    skill: z.string(),
    appendix: z.string().nullable(),
    words: z.record(z.string(), z.string()),
    task: z.object({
      name: z.string(),
      project: z.string(),
      skill: z.string(),
      size: z.string(),
      branch: z.string(),
      base: z.string(),
    }),
    thread: z.array(Passage),
    memory: z.array(Passage),
  })
  .meta({ id: 'PromptParts' });

/** Everything a worker needs to let an agent do a claimed task. */
export const Brief = z
  .object({
    repo: z.string().nullable(),
    base: z.string().nullable(),
    branch: z.string(),
    /** The commit at which earlier work in the thread left the branch. */
    head: z.string().nullable(),
    writes: z.boolean(),
    agent: z.object({
      instance: z.string(),
      slug: z.string(),
      model: z.string(),
      max_turns: z.int(),
      /** Of the tools that the task has, those that the agent may use; null means all. */
      allowed_tools: z.array(z.string()).nullable(),
      mcp_servers: z.array(McpServer),
      /** The command that runs the agent; null is the Claude Agent SDK. */
      command: z.array(z.string()).nullable(),
      /** Whether it calls models through the hall. */
      needs_model: z.boolean(),
      /** Names of the variables that hold secrets; their values are requested separately. */
      secret_env: z.array(z.string()),
      git: z.object({ name: z.string(), email: z.string() }),
      gpg_key: z.string().nullable(),
      co_author: z.string(),
    }),
    cell: z.object({
      isolation: z.string().nullable(),
      /** The container image with its programs; null uses those of the host. */
      image: z.string().nullable(),
      limits: Limits,
      network: z.array(z.string()),
      env: Env,
      setup: z.array(z.string()),
      copy: z.array(z.string()),
    }),
    prompt: PromptParts,
    /** The session to resume; null starts a new one. */
    session: z.object({ id: z.string(), history: z.string() }).nullable(),
  })
  .meta({ id: 'Brief' });

export const GetRunSecrets = z.strictObject({ fence: Fence });

export const RunSecrets = z.object({ env: Env }).meta({ id: 'RunSecrets' });

/** A longer conversation is not stored: the next run starts a new one. */
export const MAX_HISTORY = 16 * 1024 * 1024;

export const StoreSession = z.strictObject({
  fence: Fence,
  id: line(200),
  history: text(MAX_HISTORY),
});

/** The prompt that an agent would get for a task, as text. */
export const PromptPreview = z
  .object({ system: z.string(), task: z.string() })
  .meta({ id: 'PromptPreview' });

export type Brief = z.output<typeof Brief>;
