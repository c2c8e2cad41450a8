import { SYSTEM } from '../../protocol/actor.ts';
import type { CommandId } from '../../protocol/ids.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { Draft } from './draft.ts';
import { endRun } from './end-run.ts';
import type { Inherited } from './inherit.ts';
import type { SessionState } from './state.ts';

/** What the agent is asked in a copy of the old conversation. */
const QUESTION =
  'This conversation is being handed over to a new one that knows nothing about it. Summarize what it must remember to continue: the goal, ' +
  'what was decided and why, what was changed (files), what is left to do, and what to watch out for. Answer with this summary only, and use no tools.';

const summaryRequestId = (state: SessionState): CommandId => `handover:${state.id}` as CommandId;

/** An existing summary is used at once; otherwise the agent is asked for one, before anything else. */
export function startHandover(draft: Draft): void {
  const { origin } = draft.state;
  if (origin?.kind !== 'handover' || origin.summary === undefined) return;
  const { how, text } = origin.summary;
  if (how !== 'agent') return draft.emit({ type: 'handover.ready', how, text });
  draft.emit({ type: 'input.accepted', commandId: summaryRequestId(draft.state), text: QUESTION, mode: 'queue', actor: SYSTEM });
}

/** The turn with the question is over. Its answer is the summary; if it failed, the extract is used. */
export function finishSummary(draft: Draft, commandId: CommandId | null, answer: string | undefined): void {
  if (draft.state.origin?.kind !== 'handover' || commandId !== summaryRequestId(draft.state)) return;
  if (answer === undefined || answer.trim() === '') fallBackToExtract(draft);
  else draft.emit({ type: 'handover.ready', how: 'agent', text: answer });
  endRun(draft, 'handover');
}

/** The process exited without an answer. */
export function abandonSummary(draft: Draft): void {
  if (draft.state.origin?.kind !== 'handover') return;
  const question = summaryRequestId(draft.state);
  if (draft.state.queue.some((input) => input.commandId === question)) {
    draft.emit({ type: 'input.cancelled', commandId: question, reason: 'the agent exited before it wrote the summary' });
  }
  fallBackToExtract(draft);
}

function fallBackToExtract(draft: Draft): void {
  const text = draft.state.origin?.summary?.text ?? '';
  draft.emit({ type: 'handover.ready', how: 'extract', text });
}

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
