import { foldHealth } from '../../domain/health/fold.ts';
import { healthAt } from '../../domain/health/health.ts';
import { HEALTHY, type HealthState } from '../../domain/health/state.ts';
import type { Engine } from '../../engine/engine.ts';
import { EMPTY_INDEX } from '../../index/session-index.ts';
import type { SessionHealth } from '../../protocol/api/health.ts';
import type { Session } from '../../protocol/session.ts';
import { readEvents } from './read-events.ts';

export interface HealthReader {
  /** Reads only the events since the last call. */
  read(engine: Engine, session: Session): Promise<SessionHealth>;
}

/** A state is a few kilobytes. With more sessions than this in use, the oldest are read again. */
const KEPT = 500;

export function createHealthReader(now: () => number): HealthReader {
  const states = new Map<string, HealthState>();
  return {
    read: async (engine, session) => {
      const key = `${session.id} ${session.createdAt}`;
      const state = await upToDate(engine, session, states.get(key) ?? HEALTHY);
      keep(states, key, state);
      return healthAt(state, new Date(now()).toISOString());
    },
  };
}

async function upToDate(engine: Engine, session: Session, known: HealthState): Promise<HealthState> {
  let state = known;
  if (state.seq >= session.lastSeq) return state;
  for await (const events of readEvents({ engine, sessionIndex: EMPTY_INDEX }, session, state.seq)) state = events.reduce(foldHealth, state);
  return state;
}

/** Drops the least recently used state. Of two concurrent reads, the one that got further is kept. */
function keep(states: Map<string, HealthState>, key: string, state: HealthState): void {
  const known = states.get(key);
  states.delete(key);
  states.set(key, known !== undefined && known.seq > state.seq ? known : state);
  const [oldest] = states.keys();
  if (states.size > KEPT && oldest !== undefined) states.delete(oldest);
}
