import { LIMITS } from '../../protocol/limits.ts';
import type { Inherited } from './inherit.ts';

const PROMPT_CHARS = 600;
const ANSWER_CHARS = 1500;
const LAST_ANSWERS = 4;
const FILES = 60;

/** A summary made without the agent: how it started, what was asked, what was changed, and the last answers. Never longer than the limit. */
export function extractOf(events: readonly Inherited[]): string {
  const prompts = events.flatMap((event) => (event.type === 'user.message' && event.origin !== 'agent' ? [event.text] : []));
  const answers = events.flatMap((event) => (event.type === 'assistant.text' && event.parentToolUseId === undefined ? [event.text] : []));
  const files = [...new Set(events.flatMap((event) => (event.type === 'tool.completed' && event.change !== undefined ? [event.change.path] : [])))];
  const parts = [
    part('The first message', prompts.slice(0, 1), PROMPT_CHARS * 2),
    part('The last answers', answers.slice(-LAST_ANSWERS), ANSWER_CHARS),
    part('Files that were changed', files.slice(-FILES), PROMPT_CHARS),
    part('Later messages, the newest first', prompts.slice(1).toReversed(), PROMPT_CHARS),
  ];
  return withinBytes(parts.filter((text) => text !== '').join('\n\n') || 'Nothing was said.', LIMITS.extractBytes);
}

const part = (title: string, texts: readonly string[], chars: number): string =>
  texts.length === 0 ? '' : `${title}:\n${texts.map((text) => `- ${clipped(text, chars)}`).join('\n')}`;

const clipped = (text: string, chars: number): string => (text.length > chars ? `${text.slice(0, chars)} […]` : text);

const encoder = new TextEncoder();

/** Cuts the end, which is the least important part. */
export function withinBytes(text: string, bytes: number): string {
  if (encoder.encode(text).length <= bytes) return text;
  const mark = ' […]';
  const room = new Uint8Array(bytes - encoder.encode(mark).length);
  const { read } = encoder.encodeInto(text, room);
  return text.slice(0, read) + mark;
}
