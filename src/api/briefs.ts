import { z } from 'zod';
import { Fence, line, text } from './fields.ts';
import { Limits } from './limits.ts';

/** A piece of text by somebody who is not the hall: material, never instruction. */
const Passage = z.object({ source: z.string(), author: z.string(), text: z.string() });

/** What the agent is told, part by part; `{{words}}` in the first four are filled by the worker. */
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

/** Everything a worker needs to let an agent do a task it has claimed. */
export const Brief = z
  .object({
    repo: z.string().nullable(),
    base: z.string().nullable(),
    branch: z.string(),
    /** Where the branch was left by whoever worked in the thread before. */
    head: z.string().nullable(),
    writes: z.boolean(),
    agent: z.object({
      instance: z.string(),
      slug: z.string(),
      model: z.string(),
      max_turns: z.int(),
      /** The program that is the agent; null is the Claude Agent SDK. */
      command: z.array(z.string()).nullable(),
      git: z.object({ name: z.string(), email: z.string() }),
      gpg_key: z.string().nullable(),
      co_author: z.string(),
    }),
    cell: z.object({
      isolation: z.string().nullable(),
      /** With the programs of a container; null takes those of the host. */
      image: z.string().nullable(),
      limits: Limits,
      network: z.array(z.string()),
      setup: z.array(z.string()),
      copy: z.array(z.string()),
    }),
    prompt: PromptParts,
    /** The conversation to go on with; null begins one. */
    session: z.object({ id: z.string(), history: z.string() }).nullable(),
  })
  .meta({ id: 'Brief' });

/** A longer conversation is not kept: the next run begins a fresh one. */
export const MAX_HISTORY = 16 * 1024 * 1024;

export const StoreSession = z.strictObject({
  fence: Fence,
  id: line(200),
  history: text(MAX_HISTORY),
});

/** What an agent would be told about a task, as text. */
export const PromptPreview = z
  .object({ system: z.string(), task: z.string() })
  .meta({ id: 'PromptPreview' });

export type Brief = z.output<typeof Brief>;
