import type { SessionId } from '../../protocol/ids.ts';
import type { CheckpointWork } from '../checkpoints/checkpoint-work.ts';
import type { AuditCompletion } from '../complete-audit.ts';
import type { KnownLinesCache } from '../continue/known-lines.ts';
import type { OpenElsewhere } from '../external/open-elsewhere.ts';
import { isMemoryFull } from '../slots/process-memory.ts';
import type { Subscribers } from '../subscribers.ts';
import type { Workspace } from '../workspace.ts';
import type { EngineDeps } from './engine-deps.ts';
import type { KeyedQueues } from './keyed-queues.ts';
import type { SessionActor } from './session-actor.ts';

/** What all sessions of this engine share. */
export interface EngineContext {
  readonly deps: EngineDeps;
  readonly subscribers: Subscribers;
  readonly sessions: Map<SessionId, SessionActor>;
  readonly counters: { eventsAppended: number; linesRead: number };
  /** True while the disk is too full to take input. */
  diskLow: boolean;
  /** True once no new work may start. */
  closing: boolean;
  /** Rules and other state that belongs to no session. */
  readonly workspace: Workspace;
  /** Adds missing lines to the audit log. */
  readonly audit: AuditCompletion;
  /** Which lines of the agents' records the sessions already show. */
  readonly lines: KnownLinesCache;
  /** Other programs that have conversations open, as last seen. */
  readonly openElsewhere: OpenElsewhere;
  /** Checkpoints of the sessions' files. */
  readonly checkpointWork: CheckpointWork;
  /** Creations of one session id run one after the other. */
  readonly creations: KeyedQueues;
  /** Call when a slot may have become free or a session starts to wait for one. */
  slotsChanged(): void;
}

export function liveCount(context: EngineContext): number {
  let live = 0;
  for (const session of context.sessions.values()) if (session.state.run.phase !== 'none') live += 1;
  return live;
}

export const hasFreeSlot = (context: EngineContext): boolean => liveCount(context) < context.deps.settings.maxLive && !isMemoryFull(context);
