import { foldMove, HORIZON_MS } from '../../domain/panel/fold.ts';
import { moveOf } from '../../domain/panel/move.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Move, PanelAnswer, Track } from '../../protocol/api/panel.ts';
import type { Event } from '../../protocol/event.ts';
import type { Session } from '../../protocol/session.ts';

export interface PanelReader {
  /** Tracks of all sessions that are live or changed since then. For each one only the events since the last call are read. */
  read(engine: Engine, since: number | undefined): Promise<PanelAnswer>;
}

/** The panel shows at most this many tracks, the latest ones. */
const MOST_TRACKS = 200;
/** Small enough that reading a page doesn't block other requests. */
const PAGE = 250;
/** A window can start in the middle of a long turn; this is how far back its start is searched. */
const MOST_EVENTS = 3000;

interface Known {
  readonly track: Track | undefined;
  /** The last event read. */
  readonly seq: number;
}

export function createPanelReader(now: () => number): PanelReader {
  const known = new Map<string, Known>();
  return {
    read: async (engine, since = now() - HORIZON_MS) => {
      const sessions = drawn(engine.sessions(), since);
      const tracks: PanelAnswer['tracks'] = [];
      for (const session of sessions) {
        const read = await upToDate(engine, session, known.get(keyOf(session)), now() - HORIZON_MS);
        known.set(keyOf(session), read);
        if (read.track !== undefined) tracks.push({ sessionId: session.id, track: read.track });
      }
      forget(known, sessions);
      return { now: now(), tracks };
    },
  };
}

/** The id of a deleted session can be used again. */
const keyOf = ({ id, createdAt }: Session): string => `${id} ${createdAt}`;

const MOVING: ReadonlySet<Session['status']> = new Set(['starting', 'busy', 'waiting']);

const drawn = (sessions: readonly Session[], since: number): readonly Session[] =>
  sessions
    .filter((session) => session.archived !== true)
    .filter((session) => MOVING.has(session.status) || session.control === 'here' || Date.parse(session.updatedAt) >= since)
    .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))
    .slice(0, MOST_TRACKS);

async function upToDate(engine: Engine, session: Session, known: Known | undefined, horizon: number): Promise<Known> {
  const isNear = known !== undefined && session.lastSeq - known.seq <= MOST_EVENTS;
  let read = isNear ? known : await readBack(engine, session, horizon);
  for (;;) {
    const events = engine.events(session.id, { after: read.seq, limit: PAGE });
    read = { track: movesOf(events).reduce<Track | undefined>(foldMove, read.track), seq: events.at(-1)?.seq ?? read.seq };
    // Clients that watch get everything after this live, so there is no gap.
    if (events.length < PAGE) return read;
    await yieldToOthers();
  }
}

/** Reads from the end back to the horizon, then on to the start of the turn that was running there. */
async function readBack(engine: Engine, session: Session, horizon: number): Promise<Known> {
  const pages: (readonly Move[])[] = [];
  const last = engine.events(session.id, { before: Number.MAX_SAFE_INTEGER, limit: 1 }).at(-1)?.seq ?? 0;
  for (let before = last + 1, count = 0; before > 1 && count < MOST_EVENTS; count += PAGE) {
    const events = engine.events(session.id, { before, limit: PAGE });
    const moves = movesOf(events);
    pages.unshift(moves);
    before = events[0]?.seq ?? 0;
    if (Date.parse(events[0]?.at ?? '') < horizon && moves.some(isRest)) break;
    await yieldToOthers();
  }
  return { track: pages.flat().reduce<Track | undefined>(foldMove, undefined), seq: last };
}

const movesOf = (events: readonly Event[]): readonly Move[] => events.flatMap((event) => moveOf(event) ?? []);

/** A point where no turn is running, or where one starts. */
const isRest = ({ type }: Move): boolean => type === 'began' || type === 'ended' || type === 'born';

const yieldToOthers = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Keeps what was asked for last, with some slack: people can see different sessions. */
function forget(known: Map<string, Known>, asked: readonly Session[]): void {
  if (known.size <= 2 * MOST_TRACKS) return;
  const keys = new Set(asked.map(keyOf));
  for (const key of known.keys()) if (!keys.has(key)) known.delete(key);
}
