import { createHash } from 'node:crypto';
import type { Conversation } from './conversation.ts';
import type { Block, ModelTurn } from './next-turn.ts';

/** One event of the stream. */
interface WireEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The whole response, for a request without streaming. */
export function wholeMessage(turn: ModelTurn, conversation: Conversation): WireEvent {
  return {
    ...opening(turn, conversation),
    content: turn.blocks.map((block, at) => ({
      ...wireBlock(block, idOf(turn, conversation, at)),
    })),
    stop_reason: turn.stop,
    usage: usageOf(turn, conversation),
  };
}

/** The response as a stream: each text and each tool input in pieces. */
export function* streamOf(turn: ModelTurn, conversation: Conversation): Generator<WireEvent> {
  const usage = usageOf(turn, conversation);
  const message = { ...opening(turn, conversation), usage: { ...usage, output_tokens: 1 } };
  yield { type: 'message_start', message };
  for (const [index, block] of turn.blocks.entries()) {
    const contentBlock = wireBlock(block, idOf(turn, conversation, index));
    yield {
      type: 'content_block_start',
      index,
      content_block: { ...contentBlock, ...emptied(block) },
    };
    for (const delta of deltasOf(block)) yield { type: 'content_block_delta', index, delta };
    yield { type: 'content_block_stop', index };
  }
  yield {
    type: 'message_delta',
    delta: { stop_reason: turn.stop, stop_sequence: null },
    usage,
  };
  yield { type: 'message_stop' };
}

function opening(turn: ModelTurn, conversation: Conversation): WireEvent {
  return {
    type: 'message',
    id: `msg_${idOf(turn, conversation, -1)}`,
    role: 'assistant',
    model: conversation.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
}

function wireBlock(block: Block, id: string): WireEvent {
  switch (block.is) {
    case 'say':
      return { type: 'text', text: block.text };
    case 'think':
      return { type: 'thinking', thinking: block.text, signature: SIGNATURE };
    case 'use':
      return { type: 'tool_use', id: `toolu_${id}`, name: block.tool, input: block.input };
  }
}

const SIGNATURE = Buffer.from('scripted').toString('base64');

function emptied({ is }: Block): Readonly<Record<string, unknown>> {
  if (is === 'say') return { text: '' };
  return is === 'think' ? { thinking: '', signature: '' } : { input: {} };
}

function* deltasOf(block: Block): Generator<WireEvent> {
  if (block.is === 'use') {
    for (const piece of pieces(JSON.stringify(block.input))) {
      yield { type: 'input_json_delta', partial_json: piece };
    }
    return;
  }
  for (const piece of pieces(block.text)) {
    yield block.is === 'say'
      ? { type: 'text_delta', text: piece }
      : { type: 'thinking_delta', thinking: piece };
  }
  if (block.is === 'think') yield { type: 'signature_delta', signature: SIGNATURE };
}

const PIECE = 48;

function pieces(text: string): string[] {
  const characters = [...text];
  const count = Math.ceil(characters.length / PIECE);
  return Array.from({ length: count }, (_, at) =>
    characters.slice(at * PIECE, (at + 1) * PIECE).join(''),
  );
}

/** The same for the same place in the same conversation, so that a repeated request repeats it. */
function idOf(
  { scene, at }: ModelTurn,
  { first, prompt, turnsBefore }: Conversation,
  block: number,
): string {
  const place = JSON.stringify([scene, first, prompt, turnsBefore, at, block]);
  return createHash('sha256').update(place).digest('hex').slice(0, 24);
}

/** Earlier messages count as read from the cache, as with the real model. */
function usageOf(
  { blocks, usage, at }: ModelTurn,
  { everything, prompt, turnsBefore }: Conversation,
) {
  const total = tokensIn(everything.length);
  const fresh = Math.min(total, tokensIn(prompt.length));
  const isFirst = at + turnsBefore === 0;
  const outputLength = blocks.reduce((sum, block) => sum + JSON.stringify(block).length, 0);
  return {
    input_tokens: usage.input ?? 4,
    cache_creation_input_tokens: usage.cache_write ?? (isFirst ? total : fresh),
    cache_read_input_tokens: usage.cache_read ?? (isFirst ? 0 : total - fresh),
    output_tokens: usage.output ?? tokensIn(outputLength),
    service_tier: 'standard',
  };
}

/** About four characters per token. */
export function tokensIn(characters: number): number {
  return Math.max(1, Math.ceil(characters / 4));
}
