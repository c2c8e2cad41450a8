import type { SessionId } from '../protocol/ids.ts';
import type { AuditCompletion } from './complete-audit.ts';
import type { LinesOfSessions } from './continue/known-lines.ts';
import type { EngineDeps } from './deps.ts';
import type { HeldNow } from './external/open-elsewhere.ts';
import type { Lanes } from './loop/keyed-queues.ts';
import type { SessionBox } from './loop/session-actor.ts';
import { isMemoryFull } from './slots/process-memory.ts';
import type { Subscribers } from './subscribers.ts';
import type { House } from './workspace.ts';

/** What all sessions of this engine share. */
export interface World {
  readonly deps: EngineDeps;
  readonly subscribers: Subscribers;
  readonly boxes: Map<SessionId, SessionBox>;
  readonly counters: { eventsAppended: number; linesRead: number };
  /** True while the disk is too full to take input. */
  diskLow: boolean;
  /** True once no new work may begin. */
  closing: boolean;
  /** Rules, and whatever else belongs to no session. */
  readonly house: House;
  /** Makes what is missing in the audit. */
  readonly audit: AuditCompletion;
  /** What sessions show of the agents' own records. */
  readonly lines: LinesOfSessions;
  /** Other programs that hold conversations, as last seen. */
  readonly held: HeldNow;
  /** Sessions are made one after the other for each id. */
  readonly creations: Lanes;
  /** A place may have become free, or somebody waits for one. */
  placesChanged(): void;
}

export function liveCount(world: World): number {
  let live = 0;
  for (const box of world.boxes.values()) if (box.state.run.phase !== 'none') live += 1;
  return live;
}

export const placeFree = (world: World): boolean => liveCount(world) < world.deps.settings.maxLive && !isMemoryFull(world);
