import type { Actor } from '../../protocol/actor.ts';
import type { ContextItem } from '../../protocol/command.ts';
import type { BlobRef, EventOf, ImageRef, Setting, TypeShownAs } from '../../protocol/event.ts';

/** What every item of a transcript has. `key` stays the same for the item's whole life, also while it is still being written. */
interface Placed {
  readonly key: string;
  /** The event that put it where it stands; 0 while it is still being written. */
  readonly seq: number;
  /** When we saw it; unset while it is still being written. */
  readonly at?: string;
  /** Its text is only a head; the whole lies here. */
  readonly whole?: BlobRef;
  /** The tool call inside which it happened (a subagent's work). */
  readonly parentToolUseId?: string;
  /** It happened before this session began. */
  readonly inherited?: boolean;
  /** What people noted on it. */
  readonly marks?: ItemMarks;
}

export interface ItemMarks {
  readonly star?: boolean;
  readonly tags?: readonly string[];
  readonly note?: string;
  /** Who wrote the note as it is now, and when. */
  readonly noted?: { readonly at: string; readonly actor?: Actor };
}

export interface UserItem extends Placed {
  readonly kind: 'user';
  readonly commandId?: string;
  /** Unset when the words lie before the window. */
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
  /** Why the agent's own memory lacks it. */
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
  /** Since the event before it, when that belongs to the same turn. */
  readonly tookMs?: number;
}

export interface ToolItem extends Placed {
  readonly kind: 'tool';
  /** Unset while the agent still writes the call. */
  readonly toolUseId?: string;
  readonly name?: string;
  /** The arguments as far as they are written. */
  readonly inputSoFar?: string;
  readonly started?: EventOf<'tool.started'>;
  readonly completed?: EventOf<'tool.completed'>;
  readonly task?: EventOf<'task.updated'>;
  /** The request at which the call stands still. */
  readonly waitsFor?: string;
  readonly writing: boolean;
}

export interface PermissionItem extends Placed {
  readonly kind: 'permission';
  readonly requestId: string;
  /** Unset when the request lies before the window. */
  readonly requested?: EventOf<'permission.requested'>;
  readonly resolved?: EventOf<'permission.resolved'>;
}

export interface TurnItem extends Placed {
  readonly kind: 'turn';
  readonly completed: EventOf<'turn.completed'>;
  /** What went wrong, as far as the agent has not just said so itself. */
  readonly problems: readonly string[];
}

/** Events that appear as one line, at least sometimes. */
export type MarkType = TypeShownAs<'mark' | 'both'>;
export type MarkEvent = EventOf<MarkType>;

export interface MarkItem extends Placed {
  readonly kind: 'mark';
  readonly event: MarkEvent;
}

/** Between what a session inherited and what is its own. */
export interface BoundaryItem extends Placed {
  readonly kind: 'seam';
  readonly side: 'before' | 'here';
}

/** Lines nobody understood, side by side, folded into one. */
export interface UnrecognisedItem extends Placed {
  readonly kind: 'unrecognised';
  readonly events: readonly EventOf<'unrecognised'>[];
}

export type Item = UserItem | TextItem | ThinkingItem | ToolItem | PermissionItem | TurnItem | MarkItem | BoundaryItem | UnrecognisedItem;

/** A message of a person on its way to the agent. */
export interface InputRecord {
  readonly commandId: string;
  readonly text?: string;
  readonly images: readonly ImageRef[];
  readonly context: readonly ContextItem[];
  readonly imageCount: number;
  readonly mode: 'queue' | 'steer';
  readonly state: 'queued' | 'delivered' | 'taken' | 'cancelled';
  /** Its text is only a head; the whole lies here. */
  readonly whole?: BlobRef;
  readonly actor?: Actor;
  /** Why it came back to the queue, or was cancelled. */
  readonly reason?: string;
}

/** A setting that a person asked for: until the agent confirms it, or why it did not. */
export interface RequestedSetting {
  readonly value: string;
  /** Unset while the agent has not answered. */
  readonly refused?: string;
}

export type RequestedSettings = ReadonlyMap<Setting['setting'], RequestedSetting>;

export type Models = NonNullable<EventOf<'session.started'>['models']>;

export type Commands = EventOf<'session.started'>['commands'];
