import { handlerOf } from '../../domain/handle-event.ts';
import type { MarkEvent } from '../../domain/transcript/item.ts';
import { decisionText, isFailedTurn, turnEndText } from '../../domain/transcript/outcomes.ts';
import { plainOutput } from '../../domain/transcript/plain-output.ts';
import { plainSentence, sentencesIn, type Tone } from '../../domain/transcript/sentences.ts';
import type { Event, EventOf } from '../../protocol/event.ts';
import type { Delta } from '../../protocol/frame.ts';
import { type Paint, printable } from './paint.ts';

/** How much of a tool's input or output the terminal shows; the page has all of it. */
const LINE_CHARS = 160;

export interface TranscriptPrinter {
  delta(delta: Delta): void;
  event(event: Event): void;
}

/** Prints each character of an answer once, whether it arrives in pieces, complete, or twice. */
export function createTranscriptPrinter(write: (text: string) => void, paint: Paint, { withMessages = false, withRequests = true } = {}): TranscriptPrinter {
  const printed = new Map<string, number>();
  const denials: Denials = { requests: new Map(), calls: new Set() };
  let atLineStart = true;
  const put = (text: string): void => {
    if (text === '') return;
    write(text);
    atLineStart = text.endsWith('\n');
  };
  const line = (text: string): void => put(`${atLineStart ? '' : '\n'}${text}\n`);
  const grow = (itemId: string, offset: number, text: string): void => {
    const done = printed.get(itemId) ?? 0;
    if (offset > done) return;
    put(printable(text.slice(done - offset)));
    printed.set(itemId, Math.max(done, offset + text.length));
  };
  return {
    delta: ({ kind, itemId, offset, text, parentToolUseId }) => {
      if (kind === 'text' && parentToolUseId === undefined) grow(itemId, offset, text);
    },
    event: (event) => {
      if (event.type === 'assistant.text' && event.parentToolUseId === undefined) {
        grow(event.itemId ?? `${event.messageId}:${event.index}`, 0, event.text);
        if (!atLineStart) put('\n');
      }
      noteDenial(denials, event);
      if (withMessages && event.type === 'user.message' && event.parentToolUseId === undefined) line(messageText(event, paint));
      const text = event.type === 'permission.requested' && !withRequests ? undefined : lineFor(event, paint, denials);
      if (text !== undefined) line(text);
    },
  };
}

/** What somebody said to the agent, in full. */
const messageText = ({ text, origin }: EventOf<'user.message'>, paint: Paint): string =>
  paint[origin === 'agent' ? 'dim' : 'bold'](`> ${printable(text).replaceAll('\n', '\n  ')}`);

/** Which call each request is about, and which calls were denied. */
interface Denials {
  readonly requests: Map<string, EventOf<'permission.requested'>>;
  readonly calls: Set<string>;
}

function noteDenial({ requests, calls }: Denials, event: Event): void {
  if (event.type === 'permission.requested') requests.set(event.requestId, event);
  const denied = event.type === 'permission.resolved' && event.outcome === 'denied' ? requests.get(event.requestId)?.toolUseId : undefined;
  const refused = event.type === 'notice.shown' ? event.parentItemId : undefined;
  for (const call of [denied, refused]) if (call !== undefined) calls.add(call);
}

/** One short line for anything but the answer itself, if a person should notice it. */
function lineFor(event: Event, paint: Paint, { requests, calls }: Denials): string | undefined {
  switch (event.type) {
    case 'tool.started':
      return paint.dim(`• ${printable(event.name)} ${brief(JSON.stringify(event.input))}`);
    case 'tool.completed':
      // A denial has its own line.
      return event.isError && !calls.has(event.toolUseId)
        ? paint.red(`  ${event.closedBy ?? 'failed'}${event.output === '' ? '' : `: ${brief(plainOutput(event.output))}`}`)
        : undefined;
    case 'permission.requested':
      return paint.yellow(`? ${printable(event.tool)} needs approval: ${brief(event.title ?? JSON.stringify(event.input))}`);
    case 'permission.resolved':
      return paint.dim(`  ${brief(decisionText(event, { kind: requests.get(event.requestId)?.kind ?? 'tool' }))}${reasonOf(event)}`);
    case 'turn.completed':
      return turnLine(event, paint);
    default:
      return isMark(event) ? markLine(event, paint) : undefined;
  }
}

const reasonOf = ({ message }: EventOf<'permission.resolved'>): string => (message === undefined || message === '' ? '' : `: “${brief(message)}”`);

/** A turn that ended well needs no line. */
function turnLine(turn: EventOf<'turn.completed'>, paint: Paint): string | undefined {
  if (!isFailedTurn(turn)) return turn.interrupted ? paint.dim(turnEndText(turn)) : undefined;
  const problem = turn.errors?.[0];
  return paint.red(`${turnEndText(turn)}${problem === undefined ? '' : `: ${brief(problem)}`}`);
}

const SENTENCES = sentencesIn({ moment: (at) => at, mode: (mode) => mode });
const isMark = (event: Event): event is MarkEvent => event.type in SENTENCES;

const PAINTS = { quiet: 'yellow', trouble: 'dim', caution: 'yellow', stop: 'red' } as const satisfies Record<Tone, keyof Paint>;

function markLine(event: MarkEvent, paint: Paint): string | undefined {
  const sentence = handlerOf(SENTENCES, event)(event);
  const isShown = sentence.tone !== 'quiet' || event.type === 'notice.shown' || event.type === 'vcs.reported';
  return isShown ? paint[PAINTS[sentence.tone]](brief(plainSentence(sentence))) : undefined;
}

const brief = (text: string): string => printable(text.replace(/\s+/g, ' ')).slice(0, LINE_CHARS);
