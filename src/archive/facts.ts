import * as z from 'zod/mini';
import type { PastFacts } from '../agents/port/adapter.ts';
import type { PastLine } from '../agents/port/archive.ts';
import { lastLineOf } from '../domain/session/last-line.ts';
import type { Event } from '../protocol/event.ts';
import { LIMITS } from '../protocol/limits.ts';
import { isoTime } from './records/times.ts';

/** What a record says about the conversation, as far as it was read. Stored as JSON in archive.db: field names stay. */
export const Facts = z.object({
  /** The title from a quick look at its ends, before it was read. */
  glanced: z.optional(z.string()),
  /** A name that someone gave it. */
  named: z.optional(z.string()),
  /** Its first prompt. */
  prompt: z.optional(z.string()),
  cwd: z.optional(z.string()),
  model: z.optional(z.string()),
  createdAt: z.optional(z.string()),
  updatedAt: z.optional(z.string()),
  lastLine: z.optional(z.string()),
  /** It was read to its end once, and compared with the others. */
  isRead: z.optional(z.boolean()),
  /** The agent has not answered the last message yet. */
  isAsked: z.boolean(),
  /** Calls without a result. */
  calls: z.array(z.string()),
  continues: z.optional(z.object({ agentSessionId: z.string(), upTo: z.optional(z.string()) })),
  copiedFrom: z.optional(z.object({ agentSessionId: z.string() })),
});
export type Facts = z.infer<typeof Facts>;

export const NO_FACTS: Facts = { isAsked: false, calls: [] };

/** More calls than this are never open at once; the oldest are forgotten. */
const OPEN_CALLS = 100;

export function withQuickLook(facts: Facts, seen: PastFacts): Facts {
  return {
    ...facts,
    ...defined('glanced', titleOf(seen.title)),
    ...defined('cwd', facts.cwd ?? seen.cwd),
    ...defined('model', seen.model ?? facts.model),
    ...defined('updatedAt', later(facts.updatedAt, isoTime(seen.lastAt))),
  };
}

/** Folds what a line says about the conversation. Nearly every line says nothing new but its time. */
export function foldLine(facts: Facts, line: PastLine, isPart: boolean): Facts {
  if (isPart || (line.facts === undefined && line.continues === undefined && line.copiedFrom === undefined)) return facts;
  const { title, named, cwd, model, lastAt } = line.facts ?? {};
  const updatedAt = later(facts.updatedAt, isoTime(lastAt));
  const hasOnlyTime =
    (title === undefined || (!named && facts.prompt !== undefined)) &&
    (cwd === undefined || facts.cwd !== undefined) &&
    (model === undefined || model === facts.model) &&
    line.continues === undefined &&
    line.copiedFrom === undefined;
  if (hasOnlyTime) return updatedAt === facts.updatedAt ? facts : { ...facts, ...defined('updatedAt', updatedAt) };
  const words = titleOf(title);
  return {
    ...facts,
    ...(named ? defined('named', words ?? facts.named) : defined('prompt', facts.prompt ?? words)),
    ...defined('cwd', facts.cwd ?? cwd),
    ...defined('model', model ?? facts.model),
    ...defined('updatedAt', updatedAt),
    ...defined('continues', facts.continues ?? line.continues),
    ...defined('copiedFrom', facts.copiedFrom ?? line.copiedFrom),
  };
}

/** Folds new events, in order. */
export function foldEvents(facts: Facts, events: readonly Event[]): Facts {
  const folded = { ...facts };
  for (const event of events) foldInto(folded, event);
  const lastLine = lastLineIn(events);
  return { ...folded, ...defined('lastLine', lastLine ?? facts.lastLine) };
}

function foldInto(facts: Facts, event: Event): void {
  if (event.atKnown !== false) {
    facts.createdAt = earlier(facts.createdAt, event.at);
    facts.updatedAt = later(facts.updatedAt, event.at) ?? event.at;
  }
  const prompt = facts.prompt ?? promptOf(event);
  if (prompt !== undefined) facts.prompt = prompt;
  const model = modelOf(event);
  if (model !== undefined) facts.model = model;
  openOrClose(facts, event);
}

/** Shortening a long text costs more than reading it, so only the last one is shortened. */
function lastLineIn(events: readonly Event[]): string | undefined {
  for (let index = events.length - 1; index >= 0; index -= 1) {
    const event = events[index];
    const line = event && lastLineOf(shown(event));
    if (line !== undefined) return line;
  }
  return undefined;
}

/** In a list it doesn't matter in which program a message was typed. */
const shown = (event: Event): Event => (event.type === 'user.message' && event.origin === 'elsewhere' ? { ...event, origin: 'person' } : event);

const promptOf = (event: Event): string | undefined =>
  event.type === 'user.message' && event.origin !== 'agent' && event.parentToolUseId === undefined ? titleOf(event.text) : undefined;

function modelOf(event: Event): string | undefined {
  if (event.type === 'assistant.text') return event.parentToolUseId === undefined ? event.model : undefined;
  return event.type === 'model.changed' || event.type === 'session.started' ? event.model : undefined;
}

function openOrClose(facts: Facts, event: Event): void {
  if ('parentToolUseId' in event && event.parentToolUseId !== undefined) return;
  switch (event.type) {
    case 'user.message':
      facts.isAsked = event.origin !== 'agent';
      facts.calls = [];
      return;
    case 'assistant.text':
      facts.isAsked = false;
      return;
    case 'tool.started':
      facts.isAsked = false;
      facts.calls = [...facts.calls, event.toolUseId].slice(-OPEN_CALLS);
      return;
    case 'tool.completed':
      facts.isAsked = true;
      facts.calls = facts.calls.filter((call) => call !== event.toolUseId);
      return;
    default:
      return;
  }
}

/** Context for reading a line, whose own text may leave it out. */
export const contextFacts = ({ cwd, model }: Facts): PastFacts => ({ ...(cwd !== undefined && { cwd }), ...(model !== undefined && { model }) });

/** Its first line that isn't empty. */
export const titleOf = (text: string | undefined): string | undefined =>
  text
    ?.slice(0, LIMITS.inlineHeadChars)
    .split('\n')
    .find((line) => line.trim() !== '')
    ?.trim()
    .slice(0, LIMITS.titleChars);

const defined = <K extends keyof Facts>(key: K, value: Facts[K] | undefined): Pick<Facts, K> | Record<string, never> =>
  value === undefined ? {} : ({ [key]: value } as Pick<Facts, K>);

const earlier = (a: string | undefined, b: string): string => (a !== undefined && !isBefore(b, a) ? a : b);

const later = (a: string | undefined, b: string | undefined): string | undefined => (a === undefined || (b !== undefined && isBefore(a, b)) ? (b ?? a) : a);

const UTC_CHARS = '2026-01-01T00:00:00.000Z'.length;

/** Times in the same format are compared as text. */
function isBefore(a: string, b: string): boolean {
  if (a.length === UTC_CHARS && b.length === UTC_CHARS && a.endsWith('Z') && b.endsWith('Z')) return a < b;
  return Date.parse(a) < Date.parse(b);
}
