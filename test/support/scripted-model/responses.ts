import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { ReplyNames } from './anthropic.ts';
import type { MessagesBody } from './conversation.ts';
import type { Gate } from './gate.ts';
import { type Block, type MessageReply, pieces, type Reply } from './reply.ts';

const Part = z.looseObject({ type: z.string(), text: z.optional(z.string()) });
const Item = z.looseObject({
  type: z.optional(z.string()),
  role: z.optional(z.string()),
  content: z.optional(z.nullable(z.union([z.string(), z.array(Part)]))),
});

/** The parts of a Responses API request that select the answer. */
export const ResponsesBody = z.looseObject({
  model: z.optional(z.string()),
  stream: z.optional(z.boolean()),
  instructions: z.optional(z.string()),
  input: z.array(Item),
  tools: z.optional(z.array(z.looseObject({ type: z.string(), name: z.optional(z.string()) }))),
});
export type ResponsesBody = z.infer<typeof ResponsesBody>;

/** The same conversation in the format of the Messages API, as far as scenarios use it. */
export function asMessages({ model, stream, instructions, input, tools }: ResponsesBody): MessagesBody {
  return {
    ...(model === undefined ? {} : { model }),
    ...(stream === undefined ? {} : { stream }),
    ...(instructions === undefined ? {} : { system: instructions }),
    messages: input.flatMap(asMessage),
    tools: (tools ?? []).map(({ type, name }) => ({ name: name ?? type })),
  };
}

type Message = MessagesBody['messages'][number];

/** A reply of the model is one message there and several items here. A call with its result counts as one. */
function asMessage({ type, role, content }: z.infer<typeof Item>): readonly Message[] {
  if (type === 'function_call' || type === 'custom_tool_call') return [{ role: 'assistant', content: '' }];
  if (role !== 'user' && role !== 'assistant') return [];
  const parts = typeof content === 'string' ? [content] : (content ?? []).flatMap(({ text }) => text ?? []);
  return [{ role, content: parts.filter((text) => !isInjected(text)).join('\n') }];
}

/** What Codex 0.166.0 puts before the first message as if it came from the user. */
const isInjected = (text: string): boolean =>
  /^\s*<(environment_context|user_instructions|permissions|skills|turn_aborted)/.test(text) || text.startsWith('# AGENTS.md');

type Fields = Readonly<Record<string, unknown>>;
type Send = (name: string, fields: Fields) => void;

/** Writes a reply in the format of the Responses API. */
export async function writeResponses(response: ServerResponse, reply: Reply, names: ReplyNames, gate: (name: string) => Gate): Promise<void> {
  if (reply.kind === 'silence') return;
  if (reply.kind === 'failure') return writeFailure(response, reply);
  if (reply.flow?.by === 'door') await gate(reply.flow.gate).pass();
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const send: Send = (name, fields) => void response.write(`event: ${name}\ndata: ${JSON.stringify({ type: name, ...fields })}\n\n`);
  send('response.created', { response: { id: `resp_${names.key}` } });
  for (const [index, block] of reply.blocks.entries()) {
    if (!(await writeBlock(response, send, reply, { block, index, names, gate }))) return;
  }
  send('response.completed', { response: { id: `resp_${names.key}`, usage: usage(reply) } });
  response.end();
}

function writeFailure(response: ServerResponse, { status, type, message, headers }: Extract<Reply, { kind: 'failure' }>): void {
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { type, code: null, message } }));
}

interface BlockContext {
  readonly block: Block;
  readonly index: number;
  readonly names: ReplyNames;
  readonly gate: (name: string) => Gate;
}

/** False when the stream was cut off. */
async function writeBlock(response: ServerResponse, send: Send, { flow }: MessageReply, { block, index, names, gate }: BlockContext): Promise<boolean> {
  const id = `item_${names.key}_${index}`;
  send('response.output_item.added', { output_index: index, item: item(block, id, '') });
  if (block.kind === 'thinking') send('response.reasoning_summary_part.added', { item_id: id, output_index: index, summary_index: 0 });
  for (const [sent, delta] of (block.kind === 'tool' ? [] : pieces(block.text)).entries()) {
    if (response.destroyed) return false;
    if (flow?.by === 'breaking' && sent === flow.afterPieces) {
      response.destroy();
      return false;
    }
    if (flow?.by === 'gate') await gate(flow.gate).pass();
    if (flow?.by === 'pace') await pause(flow.pauseMs);
    const where = { item_id: id, output_index: index };
    if (block.kind === 'thinking') send('response.reasoning_summary_text.delta', { ...where, summary_index: 0, delta });
    else send('response.output_text.delta', { ...where, content_index: 0, delta });
  }
  send('response.output_item.done', { output_index: index, item: item(block, id, 'text' in block ? block.text : '') });
  return true;
}

function item(block: Block, id: string, text: string): Fields {
  if (block.kind === 'thinking') return { type: 'reasoning', id, summary: text === '' ? [] : [{ type: 'summary_text', text }], encrypted_content: null };
  if (block.kind === 'text') return { type: 'message', id, role: 'assistant', content: text === '' ? [] : [{ type: 'output_text', text, annotations: [] }] };
  return { type: 'function_call', id, call_id: `call_${id}`, name: block.name, arguments: JSON.stringify(block.input) };
}

function usage(reply: MessageReply): Fields {
  const input = reply.inputTokens ?? 10;
  const output = reply.blocks.reduce((sum, block) => sum + ('text' in block ? pieces(block.text).length : 1), 0);
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  };
}
