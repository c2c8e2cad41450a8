import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Gate } from './gate.ts';
import { type Block, type MessageReply, pieces, type Reply } from './reply.ts';

/** Names in one reply: unique in a conversation, and the same in every run of a test. */
export interface ReplyNames {
  readonly key: string;
  readonly model: string;
}

type Fields = Readonly<Record<string, unknown>>;
type Send = (name: string, fields: Fields) => void;

const STOP_REASON = { end: 'end_turn', tools: 'tool_use', length: 'max_tokens', refusal: 'refusal' } as const;

/** Writes a reply in the format of the Messages API. */
export async function writeAnthropic(response: ServerResponse, reply: Reply, streams: boolean, names: ReplyNames, gate: (name: string) => Gate): Promise<void> {
  if (reply.kind === 'silence') return;
  if (reply.kind === 'failure') return writeFailure(response, reply, names);
  if (reply.flow?.by === 'door') await gate(reply.flow.gate).pass();
  if (!streams) return writeAtOnce(response, reply, names);
  await writeStream(response, reply, names, gate);
}

function writeFailure(response: ServerResponse, reply: Extract<Reply, { kind: 'failure' }>, names: ReplyNames): void {
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
  // Pi 0.87.1 and OpenCode 1.18.33 retry when an error contains 529 anywhere, even in this id.
  const id = `req_${names.key.replaceAll(/\d/g, 'x')}`;
  response.writeHead(reply.status, { 'content-type': 'application/json', 'request-id': id });
  response.end(JSON.stringify({ type: 'error', error: { type: reply.type, message: reply.message }, request_id: id }));
}

function writeAtOnce(response: ServerResponse, reply: MessageReply, names: ReplyNames): void {
  const content = reply.blocks.map((block, index) => fullBlock(block, index, names));
  response.writeHead(200, { 'content-type': 'application/json', 'request-id': `req_${names.key}` });
  response.end(JSON.stringify({ ...envelope(names), content, stop_reason: STOP_REASON[reply.stop], usage: usage(reply) }));
}

async function writeStream(response: ServerResponse, reply: MessageReply, names: ReplyNames, gate: (name: string) => Gate): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'request-id': `req_${names.key}` });
  const send: Send = (name, fields) => void response.write(`event: ${name}\ndata: ${JSON.stringify({ type: name, ...fields })}\n\n`);
  send('message_start', { message: { ...envelope(names), content: [], stop_reason: null, usage: { ...usage(reply), output_tokens: 1 } } });
  send('ping', {});
  let sent = 0;
  for (const [index, block] of reply.blocks.entries()) {
    send('content_block_start', { index, content_block: emptyBlock(block, index, names) });
    for (const delta of deltas(block)) {
      if (response.destroyed) return;
      if (reply.flow?.by === 'breaking' && sent === reply.flow.afterPieces) return breakStream(response, reply.flow.how, send);
      if (reply.flow?.by === 'gate') await gate(reply.flow.gate).pass();
      if (reply.flow?.by === 'pace') await pause(reply.flow.pauseMs);
      send('content_block_delta', { index, delta });
      sent += 1;
    }
    send('content_block_stop', { index });
  }
  send('message_delta', { delta: { stop_reason: STOP_REASON[reply.stop], stop_sequence: null }, usage: usage(reply) });
  send('message_stop', {});
  response.end();
}

function breakStream(response: ServerResponse, how: 'cut' | 'error-event', send: Send): void {
  if (how === 'cut') return void response.destroy();
  send('error', { error: { type: 'overloaded_error', message: 'Overloaded in mid-stream' } });
  response.end();
}

const envelope = (names: ReplyNames): Fields => ({
  id: `msg_${names.key}`,
  type: 'message',
  role: 'assistant',
  model: names.model,
  stop_sequence: null,
});

const usage = (reply: MessageReply): Fields => ({
  input_tokens: reply.inputTokens ?? 10,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: reply.blocks.reduce((sum, block) => sum + deltas(block).length, 0),
});

const toolId = (names: ReplyNames, index: number): string => `toolu_${names.key}_${index}`;

function fullBlock(block: Block, index: number, names: ReplyNames): Fields {
  if (block.kind === 'text') return { type: 'text', text: block.text };
  if (block.kind === 'thinking') return { type: 'thinking', thinking: block.text, signature: SIGNATURE };
  return { type: 'tool_use', id: toolId(names, index), name: block.name, input: block.input };
}

function emptyBlock(block: Block, index: number, names: ReplyNames): Fields {
  if (block.kind === 'text') return { type: 'text', text: '' };
  if (block.kind === 'thinking') return { type: 'thinking', thinking: '', signature: '' };
  return { type: 'tool_use', id: toolId(names, index), name: block.name, input: {} };
}

function deltas(block: Block): Fields[] {
  if (block.kind === 'text') return pieces(block.text).map((text) => ({ type: 'text_delta', text }));
  if (block.kind === 'tool') return slices(JSON.stringify(block.input), 24).map((partial_json) => ({ type: 'input_json_delta', partial_json }));
  const thoughts = pieces(block.text).map((thinking) => ({ type: 'thinking_delta', thinking }));
  return [...thoughts, { type: 'signature_delta', signature: SIGNATURE }];
}

const SIGNATURE = Buffer.from('scripted thought').toString('base64');

const slices = (text: string, length: number): string[] =>
  Array.from({ length: Math.ceil(text.length / length) }, (_, n) => text.slice(n * length, (n + 1) * length));
