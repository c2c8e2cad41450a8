import type { Actor } from '../../protocol/actor.ts';
import type { EventBody, Setting, Source } from '../../protocol/event.ts';
import type { AgentId, CommandId, RequestId, RunId } from '../../protocol/ids.ts';
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
  /** True while lines are read that were printed when no server lived: `at` is then not when they were seen. */
  readonly late?: boolean;
  /** A name for the run that this decision may open. */
  readonly freshRun: RunId;
  /** The agent's session id for a session that has none yet. */
  readonly freshAgentSessionId: string;
  /** False while this machine has as many live agents as it may have. */
  readonly hasFreeSlot: boolean;
  /** False while the disk is too full to take input. */
  readonly hasDiskSpace: boolean;
  /** The id that the agent uses for an input. */
  readonly inputId: (commandId: CommandId) => string;
  /** What this agent can do. */
  readonly can: Capabilities;
  /** Whether this server lets agents bypass permissions at all. */
  readonly mayBypass: boolean;
  /** What the rules in force say about a call. */
  readonly judge: Judge;
  /** What a call of one of this agent's tools is about. */
  readonly subjectOf: (tool: string, input: Readonly<Record<string, unknown>>) => Subject;
  /** Whether this agent can be given an input only when it has answered the greeting. Asked of a session that is being born, too. */
  readonly inputAfterReady?: (agent: AgentId) => boolean;
  /** The process is known to have gone, though its end is not concluded yet. */
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
  | { readonly type: 'take-over'; readonly pid: number }
  | { readonly type: 'end'; readonly run: RunId; readonly midTurn: boolean }
  | { readonly type: 'forget' };

/** An event that may bring its own time. */
export type DraftedEvent = EventBody & { readonly at?: string };

export interface Decision {
  /** When it was made: events without a time of their own have this one, so that the state is the same when it is folded again. */
  readonly at: string;
  readonly events: readonly DraftedEvent[];
  readonly effects: readonly Effect[];
  readonly state: SessionState;
}

/** A decision in the making: every event is folded at once, so that the next rule sees its outcome. */
export class Draft {
  readonly events: DraftedEvent[] = [];
  readonly effects: Effect[] = [];
  /** The event after which the status last became another one. */
  private lastStatusChange: { readonly type: EventBody['type']; readonly seq: number } | undefined;

  constructor(
    public state: SessionState,
    public now: DecisionContext,
  ) {}

  emit(body: DraftedEvent): void {
    const { actor, src, late } = this.now;
    const unsure = late === true && body.at === undefined;
    const whole: DraftedEvent = { ...(actor !== undefined && { actor }), ...(src !== undefined && { src }), ...(unsure && { atKnown: false }), ...body };
    const before = statusOf(this.state);
    this.events.push(whole);
    this.state = evolve(this.state, { ...whole, seq: this.state.seq + 1, at: body.at ?? this.now.at });
    if (statusOf(this.state) !== before) this.lastStatusChange = { type: body.type, seq: this.state.seq };
  }

  /** Takes over an event of another session, with its own time and author. */
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

  /** Shows the status that now holds, naming the event that made it so. */
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
