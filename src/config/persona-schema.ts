import { z } from 'zod';
import { nonEmpty, slug } from './schema.ts';

/*
 * Every key of agents.yml and its default. The reference page and the suggestions for misspelt keys are derived
 * from it.
 */

const line = nonEmpty
  .max(200, 'must be at most 200 characters')
  .refine((text) => !/[\n\r]/.test(text), 'must be one line');
const words = z.array(line).max(50);

const McpServer = z
  .strictObject({
    command: z.array(nonEmpty).min(1).max(50).nullable().default(null),
    url: z
      .url({ protocol: /^https$/, error: 'must be an https address' })
      .refine((text) => isPlain(text), 'must not contain a user or a password')
      .nullable()
      .default(null),
  })
  .refine(({ command, url }) => (command === null) !== (url === null), 'needs a command or a url');

function isPlain(text: string): boolean {
  const { username, password } = new URL(text);
  return `${username}${password}` === '';
}

const PersonaEntry = z.strictObject({
  type: slug.default('dev'),
  display_name: line.nullable().default(null),
  author: line.nullable().default(null),
  teams: words.default([]),
  model: line.nullable().default(null),
  max_retries: z.int().min(0).max(1_000_000).nullable().default(null),
  max_turns: z.int().min(1).max(10_000).nullable().default(null),
  roles: words.default([]),
  domains: words.default([]),
  scope_summary: nonEmpty.max(2_000, 'must be at most 2000 characters').nullable().default(null),
  mcp_servers: z.record(slug, McpServer).default({}),
  allowed_tools: z.array(line).max(200).nullable().default(null),
});

export const AgentsFile = z.strictObject({
  agents: z
    .record(slug.max(64, 'must be at most 64 characters'), PersonaEntry)
    .nullable()
    .default({}),
});

export type PersonaEntry = z.output<typeof PersonaEntry>;
