import type { KeptObservation } from '../../protocol/observation.ts';
import { itemOf, resultOf } from '../formats/item-id.ts';
import { jsonObject } from '../formats/json-object.ts';
import { isObject, type Loose, text } from '../formats/shape.ts';

/**
 * Session files from before OpenClaw had a database, as others describe them (never seen): Pi's lines, but many without ids, and with kinds, blocks
 * and fields of their own. They are rewritten to what Pi's reader knows; what Pi has no line for is read here.
 */
export type OldLine =
  /** A line for Pi's reader, and what it does not report. */
  { readonly line: string; readonly also: readonly KeptObservation[] } | { readonly observations: readonly KeptObservation[]; readonly at: string | undefined };

type Fields = Loose<object>;

/** Undefined when the line is one of Pi's as it is. `place` is where it is in its file: the id of a line that has none. */
export function readOldLine(raw: string, place: number | undefined): OldLine | undefined {
  const fields = jsonObject(raw);
  if (fields === undefined || !text(fields.type)) return undefined;
  const id = text(fields.id) ? fields.id : place === undefined ? undefined : `line:${place}`;
  const at = isoOf(fields.timestamp ?? fields.ts);
  const own = { ...fields, ...(id === undefined ? {} : { id }), ...(at === undefined ? {} : { timestamp: at }) };
  const rewritten = rewrite(own, id, at);
  if (rewritten === undefined || 'observations' in rewritten) return rewritten;
  const line = JSON.stringify(rewritten.line);
  return line === JSON.stringify(fields) && rewritten.also.length === 0 ? undefined : { line, also: rewritten.also };
}

type Rewritten = { readonly line: object; readonly also: readonly KeptObservation[] } | Extract<OldLine, { observations: unknown }>;

function rewrite(fields: Fields, id: string | undefined, at: string | undefined): Rewritten | undefined {
  const where = { ...(id === undefined ? {} : { uuid: id }), ...(at === undefined ? {} : { agentAt: at }) };
  switch (fields.type) {
    case 'session':
      return {
        line: fields,
        also: text(fields.agentName) && fields.agentName !== '' ? [{ type: 'notice.shown', level: 'info', text: `Agent: ${fields.agentName}`, ...where }] : [],
      };
    case 'message':
      return { line: { ...fields, message: messageOf(fields, at) }, also: [] };
    case 'model_change':
      return { line: { ...fields, modelId: fields.modelId ?? fields.model }, also: [] };
    case 'compaction':
    case 'compact_boundary':
      return { line: compactionOf(fields, id), also: [] };
    case 'error':
      return { line: { ...fields, type: 'message', message: failureOf(fields, at) }, also: [] };
    case 'tool_call':
    case 'skill_call':
      return { observations: callOf(fields, id, where), at };
    case 'tool_result':
      return { observations: resultIn(fields, id, where), at };
    default:
      return { line: fields, also: [] };
  }
}

/** The message may be the line itself; its blocks and its usage have other names. */
function messageOf(fields: Fields, at: string | undefined): unknown {
  const given = isObject(fields.message) ? fields.message : text(fields.role) ? fields : undefined;
  if (given === undefined) return fields.message;
  const { content } = given;
  const role = given.role === 'tool' ? 'toolResult' : given.role;
  const blocks = Array.isArray(content) ? content.map(blockOf) : role === 'assistant' && text(content) ? [{ type: 'text', text: content }] : content;
  const usage = usageOf(given.usage ?? fields.usage);
  const timestamp = typeof given.timestamp === 'number' ? given.timestamp : at === undefined ? undefined : Date.parse(at);
  return {
    ...given,
    role,
    ...(blocks === undefined ? {} : { content: blocks }),
    ...(usage === undefined ? {} : { usage }),
    ...(timestamp === undefined ? {} : { timestamp }),
    ...(role === 'toolResult' ? { toolCallId: given.toolCallId ?? given.toolUseId, toolName: given.toolName ?? given.name ?? '' } : {}),
  };
}

function blockOf(block: unknown): unknown {
  if (!isObject(block)) return block;
  if (block.type === 'tool_use') {
    const { toolCallId, toolName, input, ...rest } = block;
    return { ...rest, type: 'toolCall', id: toolCallId ?? block.id, name: toolName ?? block.name, arguments: isObject(input) ? input : { input } };
  }
  return block.type === 'thinking' && !text(block.thinking) && text(block.text) ? { type: 'thinking', thinking: block.text } : block;
}

/** Tokens under any of the names in use; a missing total is their sum. */
function usageOf(usage: unknown): object | undefined {
  if (!isObject(usage)) return undefined;
  const count = (...names: readonly string[]): number => {
    const found = names.map((name) => usage[name]).find((value) => typeof value === 'number' && Number.isFinite(value));
    return typeof found === 'number' ? Math.max(0, found) : 0;
  };
  const tokens = {
    input: count('input', 'inputTokens', 'input_tokens'),
    output: count('output', 'outputTokens', 'output_tokens'),
    cacheRead: count('cacheRead', 'cacheReadTokens', 'cache_read_input_tokens'),
    cacheWrite: count('cacheWrite', 'cacheWriteTokens', 'cache_creation_input_tokens'),
  };
  const total = count('totalTokens', 'total', 'total_tokens') || tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite;
  return { ...usage, ...tokens, totalTokens: total };
}

function compactionOf(fields: Fields, id: string | undefined): object {
  const { summary, tokensBefore, preTokens, firstKeptEntryId } = fields;
  return {
    ...fields,
    type: 'compaction',
    summary: text(summary) ? summary : '',
    tokensBefore: tokensBefore ?? preTokens ?? null,
    firstKeptEntryId: firstKeptEntryId ?? id ?? null,
  };
}

/** An error in place of an answer. */
function failureOf(fields: Fields, at: string | undefined): object {
  const { error } = fields;
  const inside = isObject(error) ? error.message : error;
  const words = [fields.message, fields.errorMessage, inside, fields.text].find(text) ?? JSON.stringify(fields);
  return { role: 'assistant', content: [], stopReason: 'error', errorMessage: words, ...(at === undefined ? {} : { timestamp: Date.parse(at) }) };
}

type Where = { readonly uuid?: string; readonly agentAt?: string };

/** A call on a line of its own, with its result if that is there too. */
function callOf(fields: Fields, id: string | undefined, where: Where): readonly KeptObservation[] {
  const call = callIdIn(fields, id);
  const named = [fields.toolName, fields.skillName, fields.name, fields.tool, fields.skill].find(text) ?? 'unknown';
  const given = [fields.input, fields.arguments, fields.args, fields.params].find((value) => value !== undefined && value !== null);
  const name = fields.type === 'skill_call' ? `skill:${named}` : named;
  const input = isObject(given) ? { ...given } : given === undefined ? {} : { input: given };
  const started: KeptObservation = { type: 'tool.started', itemId: itemOf(call), toolUseId: call, name, input, ...where };
  return resultFieldIn(fields) === undefined && fields.error === undefined ? [started] : [started, ...resultIn(fields, id, where)];
}

function resultIn(fields: Fields, id: string | undefined, where: Where): readonly KeptObservation[] {
  const failed = fields.isError === true || fields.is_error === true || (fields.error !== undefined && fields.error !== null && fields.error !== false);
  const result = resultFieldIn(fields) ?? fields.error;
  return [{ type: 'tool.completed', ...resultOf(callIdIn(fields, id)), output: shown(result), isError: failed, ...where }];
}

const callIdIn = (fields: Fields, id: string | undefined): string =>
  [fields.toolCallId, fields.callId, fields.toolUseId, fields.tool_use_id].find(text) ?? id ?? 'call';

const resultFieldIn = (fields: Fields): unknown => [fields.result, fields.output, fields.content].find((value) => value !== undefined && value !== null);

function shown(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (text(value)) return value;
  if (Array.isArray(value) && value.every((part) => isObject(part) && text(part.text))) return value.map((part: Fields) => part.text).join('\n');
  return JSON.stringify(value);
}

/** Times are texts, or milliseconds since 1970. */
function isoOf(time: unknown): string | undefined {
  if (text(time)) return time;
  const date = new Date(typeof time === 'number' ? time : Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
