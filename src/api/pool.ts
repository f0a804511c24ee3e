import { z } from 'zod';
import { Declared, Pause, Time } from './fields.ts';

/** One member of the pool. */
export const Agent = z
  .object({
    name: z.string(),
    type: z.string(),
    /** Its own model, or else its type's. */
    model: z.string().nullable(),
    prompt_appendix: z.string().nullable(),
    match_labels: z.array(z.string()),
    notes: z.string().nullable(),
    enabled: z.boolean(),
    projects: z.array(z.string()).nullable(),
    /** Concurrent runs; 0 means no limit other than the projects' own. */
    parallel: z.int(),
    paused: Pause.nullable(),
    added_at: Time,
    changed_at: Time,
    running: z.int(),
    workers: z.int(),
  })
  .meta({ id: 'Agent' });

export const Agents = z.object({ agents: z.array(Agent) });

/** A server of tools: a program that runs in the cell, or an address. */
export const McpServer = z
  .object({
    name: z.string(),
    command: z.array(z.string()).nullable(),
    url: z.string().nullable(),
  })
  .meta({ id: 'McpServer' });

const ValueFrom = z.enum(['persona', 'type']);

/** A character that any instance of its type can work as. */
export const Persona = z
  .object({
    slug: z.string(),
    display_name: z.string().nullable(),
    type: z.string(),
    /** Its own model, or else its type's; an instance with a model of its own uses that. */
    model: z.string().nullable(),
    model_from: ValueFrom,
    max_turns: z.int().nullable(),
    max_turns_from: ValueFrom,
    /** Applies where the project allows more. */
    max_retries: z.int().nullable(),
    author: z.string().nullable(),
    teams: z.array(z.string()),
    roles: z.array(z.string()),
    domains: z.array(z.string()),
    scope_summary: z.string().nullable(),
    mcp_servers: z.array(McpServer),
    allowed_tools: z.array(z.string()).nullable(),
    /** The line of the operator's agents.yml; null for the product's own. */
    declared: Declared.nullable(),
    /** It left the catalog and only serves the open threads that are bound to it. */
    retired: z.boolean(),
  })
  .meta({ id: 'Persona' });

export const Personas = z.object({ personas: z.array(Persona) });

export const Invoker = z
  .object({
    handle: z.string(),
    weekly_cap: z.int(),
    used: z.int(),
    reserved: z.int(),
    projects: z.array(z.string()).nullable(),
    paused: Pause.nullable(),
    parked_until: Time.nullable(),
    /** The provider's message when it was parked. */
    parked_because: z.string().nullable(),
    /** Why the hall cannot read its credential; null if it can. */
    credential_fault: z.string().nullable(),
    last_used: Time.nullable(),
  })
  .meta({ id: 'Invoker' });

export const Invokers = z.object({ invokers: z.array(Invoker) });

export type Agent = z.output<typeof Agent>;
export type McpServer = z.output<typeof McpServer>;
export type Persona = z.output<typeof Persona>;
export type Invoker = z.output<typeof Invoker>;
