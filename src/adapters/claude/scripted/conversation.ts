import { z } from 'zod';

/** The parts of a model request that a script reads. */
export interface Conversation {
  readonly model: string;
  readonly streams: boolean;
  readonly system: string;
  readonly tools: readonly { readonly name: string; readonly schema: unknown }[];
  /** The first prompt. */
  readonly first: string;
  /** The latest prompt of a person, without tool results and reminders. */
  readonly prompt: string;
  /** Model responses before that prompt. */
  readonly turnsBefore: number;
  /** Model responses since that prompt, each with its tool results. */
  readonly turns: readonly { readonly results: string }[];
  /** The whole conversation, for patterns of `find`. */
  readonly everything: string;
}

const Block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  content: z.unknown().optional(),
});
const Content = z.union([z.string(), z.array(Block)]);
const Message = z.looseObject({ role: z.enum(['user', 'assistant', 'system']), content: Content });
type Message = z.output<typeof Message>;

export const Request = z.looseObject({
  model: z.string(),
  stream: z.boolean().default(false),
  system: Content.default(''),
  messages: z.array(Message).min(1),
  tools: z
    .array(z.looseObject({ name: z.string(), input_schema: z.unknown().optional() }))
    .default([]),
});

export function conversationIn(request: z.output<typeof Request>): Conversation {
  const { messages, model, stream: streams, tools } = request;
  const first = messages.find(isPrompt);
  const latest = messages.findLastIndex(isPrompt);
  const last = messages[latest];
  const system = textOf(request.system);
  return {
    model,
    streams,
    system,
    tools: tools.map(({ name, input_schema: schema }) => ({ name, schema })),
    first: first ? promptIn(first) : '',
    prompt: last ? promptIn(last) : '',
    turnsBefore: turnsIn(messages.slice(0, latest)).length,
    turns: turnsIn(messages.slice(latest + 1)),
    everything: [system, ...messages.map(({ content }) => textOf(content))].join('\n'),
  };
}

function isPrompt(message: Message): boolean {
  return message.role === 'user' && promptIn(message) !== '';
}

/**
 * The text of a person. Tool results and reminders of the agent's program are in user messages too,
 * after a resumed conversation even in the same message.
 */
function promptIn({ content }: Message): string {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return blocks
    .flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : []))
    .filter((text) => !text.trimStart().startsWith('<system-reminder>'))
    .join('\n');
}

/** One response may come back as several messages, one per block. */
function turnsIn(messages: readonly Message[]): readonly { results: string }[] {
  const turns: { results: string }[] = [];
  let before: Message['role'] = 'user';
  for (const { role, content } of messages) {
    if (role === 'assistant' && before !== 'assistant') turns.push({ results: '' });
    const turn = turns.at(-1);
    if (role !== 'assistant' && turn) turn.results += `${textOf(content)}\n`;
    before = role;
  }
  return turns;
}

function textOf(content: unknown): string {
  const parsed = Content.safeParse(content);
  if (!parsed.success) return '';
  if (typeof parsed.data === 'string') return parsed.data;
  return parsed.data.map(({ text, content: below }) => text ?? textOf(below)).join('\n');
}
