import type { Actor } from '../../protocol/actor.ts';
import type { ContextItem } from '../../protocol/command.ts';
import type { BlobRef, EventOf, ImageRef, Setting, TypeShownAs } from '../../protocol/event.ts';

/** What every item of a transcript has. `key` stays the same for the item's whole life, even while it is still being written. */
interface Placed {
  readonly key: string;
  /** The event that determines its place; 0 while it is still being written. */
  readonly seq: number;
  /** When we saw it; unset while it is still being written. */
  readonly at?: string;
  /** Its text is only a head; this is the full text. */
  readonly whole?: BlobRef;
  /** The tool call inside which it happened (a subagent's work). */
  readonly parentToolUseId?: string;
  /** It happened before this session started. */
  readonly inherited?: boolean;
  /** What people marked on it. */
  readonly marks?: ItemMarks;
}

export interface ItemMarks {
  readonly star?: boolean;
  readonly tags?: readonly string[];
  readonly note?: string;
  /** Who wrote the current note, and when. */
  readonly noted?: { readonly at: string; readonly actor?: Actor };
}

export interface UserItem extends Placed {
  readonly kind: 'user';
  readonly commandId?: string;
  /** Unset if the text is before the window. */
  readonly text?: string;
  readonly images: readonly ImageRef[];
  /** What the person pointed at. */
  readonly context: readonly ContextItem[];
  readonly origin: 'person' | 'agent' | 'elsewhere';
  readonly taken: boolean;
  /** The event in which the agent reported it: a fork or a rewind names this one, not its delivery. */
  readonly saidSeq?: number;
  readonly actor?: Actor;
  /** It joined a turn that was running. */
  readonly steered?: boolean;
  /** Why the agent does not remember it. */
  readonly forgotten?: string;
}

export interface TextItem extends Placed {
  readonly kind: 'text';
  readonly text: string;
  readonly writing: boolean;
  readonly error?: string;
  readonly interrupted?: boolean;
}

export interface ThinkingItem extends Placed {
  readonly kind: 'thinking';
  readonly text: string;
  readonly writing: boolean;
  /** Time since the previous event, if that belongs to the same turn. */
  readonly tookMs?: number;
}

export interface ToolItem extends Placed {
  readonly kind: 'tool';
  /** Unset while the agent is still writing the call. */
  readonly toolUseId?: string;
  readonly name?: string;
  /** Of a call that changes one task of the to-do list: what that task is about. */
  readonly taskSubject?: string;
  /** The arguments as far as they are written. */
  readonly inputSoFar?: string;
  readonly started?: EventOf<'tool.started'>;
  readonly completed?: EventOf<'tool.completed'>;
  readonly task?: EventOf<'task.updated'>;
  /** The end of what a running command printed so far. */
  readonly outputSoFar?: string;
  /** The pending request that the call waits for. */
  readonly waitsFor?: string;
  /** How long it waited for a person. */
  readonly waitedMs?: number;
  /** Somebody denied it, a rule did, or the agent's own settings: `byAgent` if its output says why. */
  readonly denied?: 'byPerson' | 'byAgent';
  readonly writing: boolean;
}

export interface PermissionItem extends Placed {
  readonly kind: 'permission';
  readonly requestId: string;
  /** Unset if the request is before the window. */
  readonly requested?: EventOf<'permission.requested'>;
  readonly resolved?: EventOf<'permission.resolved'>;
}

export interface TurnItem extends Placed {
  readonly kind: 'turn';
  readonly completed: EventOf<'turn.completed'>;
  /** How long the agent worked on it, without waiting for a person; unset if not known. */
  readonly workMs?: number;
  /** What went wrong, unless the agent just said so itself. */
  readonly problems: readonly string[];
}

/** Events that appear as one line, at least sometimes. */
export type MarkType = TypeShownAs<'mark' | 'both'>;
export type MarkEvent = EventOf<MarkType>;

export interface MarkItem extends Placed {
  readonly kind: 'mark';
  readonly event: MarkEvent;
}

/** The boundary between inherited events and the session's own. */
export interface BoundaryItem extends Placed {
  readonly kind: 'seam';
  readonly side: 'before' | 'here';
}

/** Consecutive lines that were not recognized, as one item. */
export interface UnrecognisedItem extends Placed {
  readonly kind: 'unrecognised';
  readonly events: readonly EventOf<'unrecognised'>[];
}

export type Item = UserItem | TextItem | ThinkingItem | ToolItem | PermissionItem | TurnItem | MarkItem | BoundaryItem | UnrecognisedItem;

/** A person's message on its way to the agent. */
export interface InputRecord {
  readonly commandId: string;
  readonly text?: string;
  readonly images: readonly ImageRef[];
  readonly context: readonly ContextItem[];
  readonly imageCount: number;
  readonly mode: 'queue' | 'steer';
  readonly state: 'queued' | 'delivered' | 'taken' | 'cancelled';
  /** Its text is only a head; this is the full text. */
  readonly whole?: BlobRef;
  readonly actor?: Actor;
  /** Why it came back to the queue, or was cancelled. */
  readonly reason?: string;
}

/** A setting that a person requested, until the agent confirms it, or the reason why it refused. */
export interface RequestedSetting {
  readonly value: string;
  /** Unset while the agent has not answered. */
  readonly refused?: string;
}

export type RequestedSettings = ReadonlyMap<Setting['setting'], RequestedSetting>;

export type Models = NonNullable<EventOf<'session.started'>['models']>;

export type Commands = EventOf<'session.started'>['commands'];
