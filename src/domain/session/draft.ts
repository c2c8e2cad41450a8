import type { Actor } from '../../protocol/actor.ts';
import type { EventBody, Setting, Source } from '../../protocol/event.ts';
import type { AgentId, CommandId, RequestId, RunId, ScriptId } from '../../protocol/ids.ts';
import type { Capabilities, Status } from '../../protocol/session.ts';
import type { Subject } from '../../protocol/subject.ts';
import type { Judge } from '../policy/judge.ts';
import type { RunOpening } from './advance.ts';
import { evolve } from './evolve.ts';
import type { SessionState } from './state.ts';
import { statusOf } from './status.ts';

/** What a decision needs from outside: time, new ids, and where the input came from. */
export interface DecisionContext {
  readonly at: string;
  readonly actor?: Actor;
  readonly src?: Source;
  /** True while reading lines that were printed when no server was running: then `at` is not their real time. */
  readonly late?: boolean;
  /** An id for the run that this decision might open. */
  readonly freshRun: RunId;
  /** The agent's session id for a session that has none yet. */
  readonly freshAgentSessionId: string;
  /** Whether this session can start a process now: a slot is free, and nobody is ahead in line. */
  readonly hasFreeSlot: boolean;
  /** False while the disk is too full to take input. */
  readonly hasDiskSpace: boolean;
  /** The id that the agent uses for an input. */
  readonly inputId: (commandId: CommandId) => string;
  /** What this agent can do. */
  readonly can: Capabilities;
  /** Whether this server lets agents bypass permissions at all. */
  readonly mayBypass: boolean;
  /** What the active rules decide about a call. */
  readonly judge: Judge;
  /** What a call of one of this agent's tools is about. */
  readonly subjectOf: (tool: string, input: Readonly<Record<string, unknown>>) => Subject;
  /** Whether this agent takes input only after it has answered the handshake. Also called while a session is being created. */
  readonly inputAfterReady?: (agent: AgentId) => boolean;
  /** When this session continues after a reset, if somebody wants that; without it, it doesn't. */
  readonly resumesAt?: (resetsAt: string) => string | undefined;
  /** The id of a call of one of our tools. */
  readonly askId: (run: RunId, toolUseId: string) => string;
  /** Whether somebody waits for the result of this call over HTTP right now. */
  readonly isCalling?: (askId: string) => boolean;
  /** This session's agent must not use our tools, though an older thread of it may still have them. */
  readonly areToolsOff?: boolean;
  /** Checkpoints are made here: the one after a turn shows what its shell commands edited. */
  readonly keepsFiles?: boolean;
  /** The process is known to be gone, but its exit has not been decided yet. */
  readonly agentIsGone?: boolean;
}

/** What to do once the events are durable. */
export type Effect =
  | ({ readonly type: 'launch'; readonly run: RunId } & RunOpening)
  | { readonly type: 'send-input'; readonly run: RunId; readonly commandId: CommandId }
  | { readonly type: 'send-interrupt'; readonly run: RunId; readonly commandId: CommandId }
  | { readonly type: 'send-answer'; readonly run: RunId; readonly requestId: RequestId }
  | ({ readonly type: 'send-setting'; readonly run: RunId; readonly commandId: CommandId } & Setting)
  | { readonly type: 'send-rewind'; readonly run: RunId; readonly commandId: CommandId; readonly messageId: string; readonly dryRun: boolean }
  | { readonly type: 'send-tool-answer'; readonly run: RunId; readonly askId: string }
  | { readonly type: 'take-over'; readonly pid: number }
  | { readonly type: 'end'; readonly run: RunId; readonly midTurn: boolean }
  | { readonly type: 'revert' }
  | { readonly type: 'enable-checkpoints' }
  | { readonly type: 'start-script'; readonly scriptId: ScriptId }
  /** Take the next step with the session's worktree. */
  | { readonly type: 'worktree' }
  | { readonly type: 'forget' };

/** An event that can have its own time. */
export type DraftedEvent = EventBody & { readonly at?: string };

export interface Decision {
  /** When it was made: events without their own time get this one, so that folding them again gives the same state. */
  readonly at: string;
  readonly events: readonly DraftedEvent[];
  readonly effects: readonly Effect[];
  readonly state: SessionState;
}

/** A decision in the making: every event is folded immediately, so that the next rule sees its outcome. */
export class Draft {
  readonly events: DraftedEvent[] = [];
  readonly effects: Effect[] = [];
  /** The event that last changed the status. */
  private lastStatusChange: { readonly type: EventBody['type']; readonly seq: number } | undefined;

  constructor(
    public state: SessionState,
    public now: DecisionContext,
  ) {}

  emit(body: DraftedEvent): void {
    const { actor, src, late } = this.now;
    const isTimeUnknown = late === true && body.at === undefined;
    const whole: DraftedEvent = { ...(actor !== undefined && { actor }), ...(src !== undefined && { src }), ...(isTimeUnknown && { atKnown: false }), ...body };
    const before = statusOf(this.state);
    this.events.push(whole);
    this.state = evolve(this.state, { ...whole, seq: this.state.seq + 1, at: body.at ?? this.now.at });
    if (statusOf(this.state) !== before) this.lastStatusChange = { type: body.type, seq: this.state.seq };
  }

  /** Adds an event of another session, with its own time and author. */
  inherit(body: EventBody & { readonly at: string }): void {
    const whole = { ...body, inherited: true };
    this.events.push(whole);
    this.state = evolve(this.state, { ...whole, seq: this.state.seq + 1 });
  }

  /** Adds what happened in another program, as the agent's own record reports it. */
  importExternal(body: EventBody & { readonly at: string }): void {
    const whole = { ...body, elsewhere: true };
    this.events.push(whole);
    this.state = evolve(this.state, { ...whole, seq: this.state.seq + 1 });
  }

  effect(effect: Effect): void {
    this.effects.push(effect);
  }

  /** Emits the current status if it changed, with the event that caused it. */
  settle(): void {
    const status = statusOf(this.state);
    if (status !== this.state.status.status) this.show(status);
  }

  show(status: Status, cause?: string): void {
    const by = this.lastStatusChange ?? { type: this.events.at(-1)?.type ?? 'nothing', seq: this.state.seq };
    this.emit({ type: 'session.status', status, cause: cause ?? by.type, causeSeq: by.seq });
  }

  done(): Decision {
    return { at: this.now.at, events: this.events, effects: this.effects, state: this.state };
  }
}
