import type { Actor } from '../../protocol/actor.ts';
import type { Command, Receipt, Refusal } from '../../protocol/command.ts';
import { isScriptSession, type SessionId } from '../../protocol/ids.ts';
import type { CheckpointWork } from '../checkpoints/checkpoint-work.ts';
import type { AuditCompletion } from '../complete-audit.ts';
import type { KnownLinesCache } from '../continue/known-lines.ts';
import type { OpenElsewhere } from '../external/open-elsewhere.ts';
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
  /** What people do with one session's worktree runs one after the other. */
  readonly worktreeActs: KeyedQueues;
  /** A command of the engine itself: people may not create or message sessions of an internal agent. */
  submitOwn(command: Command, actor: Actor): Promise<Receipt | Refusal>;
  /** Calls of our tools over HTTP whose callers wait right now. */
  readonly toolCalls: Map<string, number>;
  /** How many programs wait for messages of a session. */
  readonly pollers: Map<SessionId, number>;
  /** The places in line as lists last showed them. */
  readonly shownPlaces: Map<SessionId, number>;
  /** Call when a slot may have become free, an agent may have become idle, or a session joins the line. */
  slotsChanged(): void;
}

/** Agents that are running; scripts are counted separately. */
export const liveCount = (context: EngineContext): number => countLive(context, (id) => !isScriptSession(id));

function countLive(context: EngineContext, counts: (id: SessionId) => boolean): number {
  let live = 0;
  for (const { state } of context.sessions.values()) if (state.run.phase !== 'none' && counts(state.id)) live += 1;
  return live;
}
