import { z } from 'zod';
import type { TranscriptEntry } from '../../ports/agent.ts';

/*
 * Whatever runs in the cell can write messages in the agent's name, so each is read as a stranger's:
 * what has another shape than expected is passed over.
 */

const Block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  thinking: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
  content: z.unknown().optional(),
  is_error: z.boolean().optional(),
});

const ProgramMessage = z.looseObject({
  type: z.enum(['assistant', 'user']),
  /** Set on the program's own messages when the model could not be called. */
  error: z.unknown().optional(),
  message: z.looseObject({
    id: z.string().optional(),
    content: z.union([z.string(), z.array(z.unknown())]),
  }),
});

interface MessageContent {
  /** Names the model response it belongs to; null for anything else. */
  readonly responseId: string | null;
  readonly entries: readonly TranscriptEntry[];
}

/** What a message of the agent's program adds to the transcript. */
export function readMessage(message: unknown): MessageContent {
  const parsed = ProgramMessage.safeParse(message);
  if (!parsed.success) return { responseId: null, entries: [] };
  const { type, message: body, error } = parsed.data;
  const content =
    typeof body.content === 'string' ? [{ type: 'text', text: body.content }] : body.content;
  const isAgent = type === 'assistant';
  const isAnswer = isAgent && error === undefined;
  const entries = content.slice(0, MAX_BLOCKS).flatMap((block) => entryOf(block, isAgent));
  return { responseId: isAnswer ? (body.id ?? '') : null, entries };
}

const MAX_BLOCKS = 1_000;

const StartMessage = z.looseObject({
  type: z.literal('system'),
  subtype: z.literal('init'),
  mcp_servers: z.array(z.looseObject({ name: z.string(), status: z.string() })),
});

/** Which of its MCP servers the agent begins without; the program only goes on. */
export function missingServers(
  message: unknown,
  servers: readonly { readonly name: string }[],
): readonly TranscriptEntry[] {
  const parsed = StartMessage.safeParse(message);
  if (!parsed.success) return [];
  return parsed.data.mcp_servers
    .filter(
      ({ name, status }) => status !== 'connected' && servers.some((own) => own.name === name),
    )
    .map(({ name, status }) =>
      entry('error', `the MCP server ${name} is not available: ${status}`),
    );
}

function entryOf(raw: unknown, isAgent: boolean): readonly TranscriptEntry[] {
  const parsed = Block.safeParse(raw);
  if (!parsed.success) return [];
  const block = parsed.data;
  switch (block.type) {
    case 'text':
      return isAgent && block.text ? [entry('agent', block.text)] : [];
    case 'thinking':
      return block.thinking ? [entry('thinking', block.thinking)] : [];
    case 'tool_use':
      return [entry('tool_call', `${block.name ?? 'a tool'} ${JSON.stringify(block.input ?? {})}`)];
    case 'tool_result':
      return [entry(block.is_error ? 'error' : 'tool_result', textIn(block.content))];
    default:
      return [];
  }
}

/** An entry of the transcript, truncated to what people read. */
export function entry(kind: TranscriptEntry['kind'], text: string): TranscriptEntry {
  if (text.length <= LONGEST) return { kind, text };
  return { kind, text: `${text.slice(0, LONGEST)}… (${text.length - LONGEST} more characters)` };
}

const LONGEST = 32_768;

const ContentParts = z.array(z.looseObject({ text: z.string().optional(), type: z.string() }));

function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = ContentParts.safeParse(content);
  if (!parts.success) return '';
  return parts.data.map(({ text, type }) => text ?? `(${type})`).join('\n');
}
