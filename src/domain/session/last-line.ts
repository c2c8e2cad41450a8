import type { Event, EventOf } from '../../protocol/event.ts';
import { requestSummary, requestText } from '../permission/request-text.ts';
import { callText } from '../transcript/call-text.ts';
import { failureText, isFailedTurn, turnEndText } from '../transcript/outcomes.ts';
import type { SessionState } from './state.ts';

const CHARS = 140;

/** The line that lists show for a session, if this event has a newer one. */
export function lastLineOf(event: Event): string | undefined {
  switch (event.type) {
    case 'assistant.text':
      return event.parentToolUseId === undefined ? firstSentence(event.text) : undefined;
    case 'user.message':
      return event.origin === 'agent' ? undefined : firstSentence(event.text);
    case 'tool.started':
      return event.parentToolUseId === undefined ? clip(callText(event.name, event.input)) : undefined;
    case 'permission.requested':
      return clip(requestText(event));
    case 'turn.completed':
      return isFailedTurn(event) ? words(failureText(event)) : undefined;
    case 'notice.shown':
      return event.level === 'error' ? words(event.text) : undefined;
    case 'session.exited':
      return event.reason === 'died' ? 'The agent crashed' : undefined;
    default:
      return undefined;
  }
}

/** The agent is working, and no call of its own is running. */
const WORKING = 'Working…';

/** The line of a live session: like `lastLineOf`, and it never shows what is over as if it were still going on. `before` and `after` are the states around the event. */
export function liveLineOf(before: SessionState, after: SessionState, event: Event): string | undefined {
  switch (event.type) {
    case 'input.accepted':
      return before.turn.phase === 'idle' && before.queue.length === 0 ? firstSentence(event.text) : undefined;
    case 'input.delivered':
      return before.turn.phase === 'idle' ? firstSentence(before.queue.find(({ commandId }) => commandId === event.commandId)?.text ?? '') : undefined;
    case 'user.message':
      // Some agents report a message only when its turn ends.
      return event.commandId === undefined ? lastLineOf(event) : undefined;
    case 'permission.resolved':
      return nextRequest(after) ?? decided(before, event);
    case 'tool.completed':
      return event.parentToolUseId === undefined && after.openTools.length === 0 ? (nextRequest(after) ?? WORKING) : undefined;
    case 'turn.started':
      return event.cause === 'input' ? undefined : WORKING;
    case 'turn.completed':
      return (
        lastLineOf(event) ?? (event.interrupted ? turnEndText(event) : before.lastLine === WORKING ? (firstSentence(event.result ?? '') ?? 'Done') : undefined)
      );
    default:
      return lastLineOf(event);
  }
}

/** The request that still needs an answer, if there is one. */
function nextRequest({ permissions: [next] }: SessionState): string | undefined {
  return next === undefined ? undefined : clip(requestText(next.asked));
}

/** An allowed call runs now. */
function decided({ permissions }: SessionState, { requestId, outcome, updatedInput }: EventOf<'permission.resolved'>): string | undefined {
  const asked = permissions.find((open) => open.requestId === requestId)?.asked;
  if (asked?.kind !== 'tool' || outcome === 'cancelled' || outcome === 'lapsed') return WORKING;
  return clip(outcome === 'denied' ? `Denied: ${requestSummary(asked) || asked.tool}` : callText(asked.tool, updatedInput ?? asked.input));
}

/** Shorter sentences ("Done.") say little without the next one. */
const SENTENCE = /^.{16,}?[.!?](?=\s|$)/;

/** The first sentence of prose, without headings, code and tables. */
function firstSentence(text: string): string | undefined {
  const head = text.slice(0, 4 * 1024);
  const lines = head.replace(/^```[\s\S]*?(?:^```|$(?![\s\S]))/gm, '').split('\n');
  const prose = lines.find((line) => /\p{L}/u.test(line) && !/^\s*(?:#{1,6}\s|\||<)/.test(line)) ?? head.split('\n').find((line) => line.trim() !== '');
  if (prose === undefined) return undefined;
  const plain = words(prose);
  return SENTENCE.exec(plain)?.[0] ?? plain;
}

/** For prose. Calls and requests keep every character, because it is part of the command. */
const words = (text: string): string => clip(withoutMarks(text));

/** Lists show plain text: Markdown for lists, headings, quotes and emphasis is removed. */
const withoutMarks = (text: string): string => text.replace(/^\s*(?:[-*+>]|#{1,6}|\d+\.)\s+/gm, '').replace(/\*\*|__|`/g, '');

function clip(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > CHARS ? `${line.slice(0, CHARS - 1)}…` : line;
}
