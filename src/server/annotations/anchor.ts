import { absolutePath } from '../../domain/changes/path.ts';
import type { Anchor, Target, TargetOf } from '../../protocol/annotation.ts';
import type { NewTarget } from '../../protocol/api/annotations.ts';
import type { Refusal } from '../../protocol/command.ts';
import type { Event, EventOf } from '../../protocol/event.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { Session } from '../../protocol/session.ts';
import { readEvents } from '../http/read-events.ts';
import type { Services } from '../http/route.ts';
import { eventsOf } from '../shared/transcripts.ts';
import { textAt } from './annotations-reader.ts';

type From = Pick<Services, 'engine' | 'sessionIndex' | 'inspector'>;

export interface Anchored {
  readonly target: Target;
  readonly anchor?: Anchor;
  /** Of code: the whole file, to be kept. */
  readonly fileText?: string;
}

/** What a person says about where the comment belongs. */
export interface Asked {
  readonly target: NewTarget;
  readonly quote?: string | undefined;
  readonly seq?: number | undefined;
}

/** Reads what the comment is about, so that it can be found again, or says why it can't be. */
export function anchorOf(from: From, session: Session, asked: Asked): Promise<Anchored | Refusal> {
  const { target } = asked;
  switch (target.type) {
    case 'code':
      return onCode(from, session, target, asked.quote);
    case 'conversation':
    case 'tool-call':
      return onItem(from, session, target, asked.seq);
  }
}

const CONTEXT = 3;
const outside = (what: string): Refusal => ({ refused: 'out-of-range', message: `${what} Reload the page and choose again.` });

async function onCode(from: From, session: Session, given: TargetOf<'code'>, quote: string | undefined): Promise<Anchored | Refusal> {
  const target = { ...given, file: absolutePath(session.cwd, given.file) };
  const [first, last] = [target.lineStart, target.lineEnd ?? target.lineStart];
  if (last < first) return outside(`Lines ${first} to ${last} are no range.`);
  // What was removed is no longer on disk: the page quotes it from the patch.
  if (target.side === 'old') return quote === undefined ? { target } : { target, anchor: { quote } };
  const text = await textAt(from, session, target.file);
  if (text === undefined) return { refused: 'not-found', message: `${given.file} can’t be read as text in this session’s folders.` };
  const lines = text.split('\n');
  if (last > lines.length) return outside(`${given.file} has ${lines.length} lines, not ${last}.`);
  const found = lines.slice(first - 1, last).join('\n');
  if (quote !== undefined && quote.replace(/\r/g, '') !== found.replace(/\r/g, '')) {
    return { refused: 'conflict', message: `${given.file} has changed since you read it. Reload it and comment again.` };
  }
  const anchor: Anchor = { quote: found, before: lines.slice(Math.max(0, first - 1 - CONTEXT), first - 1), after: lines.slice(last, last + CONTEXT) };
  return { target, anchor, ...(Buffer.byteLength(text) <= LIMITS.fileTextBytes && { fileText: text }) };
}

type ItemTarget = Extract<NewTarget, { type: 'conversation' | 'tool-call' }>;

async function onItem(from: From, session: Session, given: ItemTarget, seq: number | undefined): Promise<Anchored | Refusal> {
  if (given.sessionId !== session.id)
    return { refused: 'bad-request', message: `The target is in session ${given.sessionId}, not ${session.id}. Make the comment there.` };
  if (seq === undefined && given.type === 'conversation' && given.messageId === undefined)
    return { refused: 'bad-request', message: 'Name the message by its `messageId`, or by the `seq` of its event.' };
  const event = await findEvent(from, session, (one) => isTarget(given, one), seq);
  if (event === undefined) return { refused: 'not-found', message: 'There is no such message or tool call in this session.' };
  const target = given.type === 'tool-call' ? given : { ...given, messageId: given.messageId ?? event.uuid ?? event.itemId ?? `${event.seq}` };
  const text = await textOf(from, event, target);
  const { offsetStart: start = 0, offsetEnd: end = text.length } = target;
  if (start > end || end > text.length) return outside(`Characters ${start} to ${end} are outside the text, which has ${text.length}.`);
  const isPart = target.offsetStart !== undefined || target.offsetEnd !== undefined;
  if (!isPart && target.type === 'tool-call' && target.field === undefined) return { target, anchor: { quote: '', seq: event.seq } };
  const quote = text.slice(start, Math.min(end, start + LIMITS.inlineHeadChars));
  const line = (offset: number): number => text.slice(0, offset).split('\n').length;
  return { target, anchor: { quote, seq: event.seq, ...(isPart && { lines: [line(start), line(Math.max(start, end - 1))] }) } };
}

const isTarget = (target: ItemTarget, event: Event): boolean =>
  target.type === 'tool-call'
    ? isCall(event) && event.toolUseId === target.toolUseId && (target.field === undefined || isText(event, target.field))
    : (event.type === 'assistant.text' || event.type === 'user.message' || event.type === 'assistant.thinking') &&
      (target.messageId === undefined ||
        event.uuid === target.messageId ||
        event.itemId === target.messageId ||
        ('messageId' in event && event.messageId === target.messageId));

/** Some agents send a plan only with the request, and not with the call. */
const isCall = (event: Event): event is EventOf<'tool.started' | 'permission.requested'> =>
  event.type === 'tool.started' || event.type === 'permission.requested';

const isText = (event: EventOf<'tool.started' | 'permission.requested'>, field: string): boolean => typeof event.input[field] === 'string';

async function findEvent(from: From, session: Session, matches: (event: Event) => boolean, seq: number | undefined): Promise<Event | undefined> {
  if (seq !== undefined) return (await eventsOf(from, session, { after: seq - 1, limit: 1 })).find((event) => event.seq === seq && matches(event));
  for await (const events of readEvents(from, session, 0)) {
    const found = events.find(matches);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The source text of the item: what offsets count in. */
async function textOf({ engine, sessionIndex }: From, event: Event, target: TargetOf<'conversation' | 'tool-call'>): Promise<string> {
  const path = target.type === 'conversation' ? 'text' : `input.${target.field ?? ''}`;
  const blob = event.blobs?.[path];
  if (blob !== undefined) {
    const bytes = engine.blob(blob.sha256) ?? (await sessionIndex.blob(blob.sha256));
    if (bytes !== undefined) return Buffer.from(bytes).toString('utf8');
  }
  if (target.type === 'conversation') return 'text' in event && typeof event.text === 'string' ? event.text : '';
  const value = isCall(event) && target.field !== undefined ? event.input[target.field] : undefined;
  return typeof value === 'string' ? value : '';
}
