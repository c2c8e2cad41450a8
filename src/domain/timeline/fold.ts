import type { SessionTimeline, TimelineCompaction, TimelinePoint, TimelineTool, TimelineTurn, TimelineWait } from '../../protocol/api/timeline.ts';
import type { Event, EventOf } from '../../protocol/event.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { turnOutcome } from '../transcript/outcomes.ts';
import { toolSummary } from '../transcript/tool-kind.ts';
import { workMs } from '../work-time.ts';
import { joinPoints, joinTools, joinTurns, joinWaits, thinned } from './merge-spans.ts';

type Open<T> = { -readonly [K in keyof T]: T[K] };

/** Events that belong to a turn. */
const WORK: ReadonlySet<string> = new Set([
  'assistant.text',
  'assistant.thinking',
  'tool.started',
  'tool.completed',
  'permission.requested',
  'permission.resolved',
]);

/** Longer text is of no use on an axis. */
const TITLE_CHARS = 120;

/** A session over time: a fold over its events that stays small however long the session is. */
export class Timeline {
  /** The last event that was folded. */
  seq = 0;
  #from: string | undefined;
  #to = '';
  #lastMs = 0;
  #turns: Open<TimelineTurn>[] = [];
  #tools: Open<TimelineTool>[] = [];
  #waits: Open<TimelineWait>[] = [];
  #context: TimelinePoint[] = [];
  #compactions: TimelineCompaction[] = [];
  #window: number | undefined;
  /** The turn that started with a message, without an event of its own. */
  #implicitTurn: Open<TimelineTurn> | undefined;
  readonly #openTools = new Map<string, Open<TimelineTool>>();
  /** The call that each open request is about. */
  readonly #calls = new Map<string, string>();
  readonly #openWaits = new Map<string, Open<TimelineWait>>();

  add(event: Event): void {
    this.seq = event.seq;
    if (event.inherited) return;
    this.#from ??= event.at;
    const atMs = this.#msOf(event.at);
    this.#to = event.at;
    this.#fold(event, atMs);
    this.#thin();
  }

  answer(): SessionTimeline {
    return {
      from: this.#from ?? this.#to,
      to: this.#to,
      turns: thinned(this.#turns, LIMITS.timelineSpans, joinTurns),
      tools: thinned(this.#tools, LIMITS.timelineSpans, joinTools),
      waits: thinned(this.#waits, LIMITS.timelineSpans, joinWaits),
      context: thinned(this.#context, LIMITS.timelineSpans, joinPoints),
      compactions: this.#compactions,
      ...(this.#window !== undefined && { windowTokens: this.#window }),
      seq: this.seq,
    };
  }

  /** A clock that was set back must not reverse time. */
  #msOf(at: string): number {
    const ms = Date.parse(at) - Date.parse(this.#from ?? at);
    this.#lastMs = Number.isNaN(ms) ? this.#lastMs : Math.max(this.#lastMs, Math.round(ms));
    return this.#lastMs;
  }

  #fold(event: Event, atMs: number): void {
    if (this.#implicitTurn !== undefined && WORK.has(event.type)) Object.assign(this.#implicitTurn, { endMs: atMs, lastSeq: event.seq });
    switch (event.type) {
      case 'user.message':
        return this.#userMessage(event, atMs);
      case 'turn.started':
        return this.#turnStarted(event, atMs);
      case 'turn.completed':
        return this.#turnCompleted(event, atMs);
      case 'tool.started':
        return this.#toolStarted(event, atMs);
      case 'tool.completed':
        return this.#toolCompleted(event, atMs);
      case 'permission.requested':
        return this.#asked(event, atMs);
      case 'permission.resolved':
        return this.#answered(event, atMs);
      case 'usage.reported':
        return this.#point(event, atMs);
      case 'context.compacted':
        return this.#compacted(event, atMs);
      case 'session.exited':
        return this.#exited(atMs);
      default:
        return;
    }
  }

  /** A record has no turns: there, one goes from a person's message to the last thing done for it. */
  #userMessage({ seq, text, origin, parentToolUseId }: EventOf<'user.message'>, atMs: number): void {
    if (parentToolUseId !== undefined || origin === 'agent') return;
    const turn = this.#turns.at(-1);
    if (turn?.outcome === 'open') {
      turn.title ??= headOf(text);
      return;
    }
    this.#implicitTurn = { seq, lastSeq: seq, atMs, endMs: atMs, count: 1, outcome: 'done', tools: 0, title: headOf(text) };
    this.#turns.push(this.#implicitTurn);
  }

  #turnStarted({ seq }: Event, atMs: number): void {
    // There is a turn event after all: the message right before it belongs to it.
    const message = this.#implicitTurn?.tools === 0 && this.#implicitTurn.lastSeq === this.#implicitTurn.seq ? this.#implicitTurn : undefined;
    if (message !== undefined) this.#turns.pop();
    this.#implicitTurn = undefined;
    this.#turns.push({ seq, lastSeq: seq, atMs, count: 1, outcome: 'open', tools: 0, ...(message?.title !== undefined && { title: message.title }) });
  }

  #turnCompleted(event: EventOf<'turn.completed'>, atMs: number): void {
    const turn = this.#turns.at(-1);
    this.#point(event, atMs);
    if (turn === undefined || turn.outcome !== 'open') return;
    turn.endMs = atMs;
    turn.lastSeq = event.seq;
    turn.outcome = turnOutcome(event);
    turn.workMs = this.#workMs(turn, event);
    if (event.usage !== undefined) turn.outputTokens = Math.round(event.usage.outputTokens);
    if (event.costUsd !== undefined) turn.costUsd = event.costUsd;
  }

  /** The same figure as in the transcript. */
  #workMs({ atMs, endMs = atMs }: TimelineTurn, { durationMs, atKnown }: EventOf<'turn.completed'>): number {
    if (atKnown === false && durationMs !== undefined) return Math.round(durationMs);
    return workMs(
      { from: atMs, to: endMs },
      this.#waits.map((wait) => ({ from: wait.atMs, to: wait.endMs })),
    );
  }

  #toolStarted({ seq, toolUseId, name, input }: EventOf<'tool.started'>, atMs: number): void {
    const gist = headOf(toolSummary(input));
    const tool: Open<TimelineTool> = { seq, atMs, count: 1, name, failed: false, ...(gist !== '' && { gist }) };
    const turn = this.#turns.at(-1);
    if (turn !== undefined && (turn.outcome === 'open' || turn === this.#implicitTurn)) turn.tools += 1;
    this.#tools.push(tool);
    this.#openTools.set(toolUseId, tool);
  }

  #toolCompleted({ toolUseId, isError }: EventOf<'tool.completed'>, atMs: number): void {
    const tool = this.#openTools.get(toolUseId);
    this.#openTools.delete(toolUseId);
    if (tool === undefined) return;
    tool.endMs = atMs;
    tool.failed = isError && tool.denied !== true;
  }

  #asked({ seq, requestId, tool, kind, toolUseId }: EventOf<'permission.requested'>, atMs: number): void {
    const wait = { seq, atMs, count: 1, tool, kind };
    this.#waits.push(wait);
    this.#openWaits.set(requestId, wait);
    if (toolUseId !== undefined) this.#calls.set(requestId, toolUseId);
  }

  #answered({ requestId, outcome, actor }: EventOf<'permission.resolved'>, atMs: number): void {
    const wait = this.#openWaits.get(requestId);
    this.#openWaits.delete(requestId);
    if (wait === undefined) return;
    wait.endMs = atMs;
    wait.outcome = outcome;
    this.#answeredCall(requestId, outcome === 'denied', atMs - wait.atMs);
    if (actor !== undefined) wait.by = actor.name;
  }

  #answeredCall(requestId: string, isDenied: boolean, waitedMs: number): void {
    const tool = this.#openTools.get(this.#calls.get(requestId) ?? '');
    this.#calls.delete(requestId);
    if (tool === undefined) return;
    tool.waitedMs = (tool.waitedMs ?? 0) + waitedMs;
    if (isDenied) tool.denied = true;
  }

  #point(event: EventOf<'usage.reported'> | EventOf<'turn.completed'>, atMs: number): void {
    this.#window = event.contextWindow ?? this.#window;
    if (event.contextTokens !== undefined) this.#context.push({ seq: event.seq, atMs, tokens: event.contextTokens });
  }

  #compacted({ seq, trigger, preTokens, postTokens, failed }: EventOf<'context.compacted'>, atMs: number): void {
    if (failed !== undefined) return;
    const known = { ...(preTokens !== undefined && { preTokens }), ...(postTokens !== undefined && { postTokens }) };
    this.#compactions = [...this.#compactions, { seq, atMs, trigger, ...known }].slice(-LIMITS.timelineSpans);
    if (postTokens !== undefined) this.#context.push({ seq, atMs, tokens: postTokens });
  }

  /** Whatever is open ends with the process. */
  #exited(atMs: number): void {
    const turn = this.#turns.at(-1);
    if (turn?.outcome === 'open') Object.assign(turn, { endMs: atMs, outcome: 'interrupted' });
    for (const tool of this.#openTools.values()) tool.endMs = atMs;
    this.#openTools.clear();
  }

  /** The last one can still continue, so it is not merged. */
  #thinTurns(): void {
    const last = this.#turns.pop();
    this.#turns = [...thinned(this.#turns, LIMITS.timelineSpans, joinTurns), ...(last === undefined ? [] : [last])];
  }

  /** Now and then, so that memory stays bounded too. */
  #thin(): void {
    const most = 2 * LIMITS.timelineSpans;
    if (this.#turns.length > most) this.#thinTurns();
    if (this.#tools.length > most) this.#tools = [...thinned(this.#tools, LIMITS.timelineSpans, joinTools)];
    if (this.#waits.length > most) this.#waits = [...thinned(this.#waits, LIMITS.timelineSpans, joinWaits)];
    if (this.#context.length > most) this.#context = [...thinned(this.#context, LIMITS.timelineSpans, joinPoints)];
  }
}

const headOf = (text: string): string => (text.split('\n', 1)[0] ?? '').slice(0, TITLE_CHARS);
