import type { Event, EventOf } from '../../protocol/event.ts';
import type { Recap } from '../../protocol/seen.ts';
import type { Session } from '../../protocol/session.ts';
import { ChangedFiles } from '../changes/fold.ts';
import { turnOutcome } from '../transcript/outcomes.ts';

/** What one session did since a time. */
export interface SessionRecap {
  readonly session: Pick<Session, 'id' | 'waiting'>;
  /** How its last turn ended; absent if none did, or a person stopped it. */
  readonly ended?: 'finished' | 'failed';
  /** It asked something, whether or not it was answered. */
  readonly asked: boolean;
  readonly files: readonly string[];
  readonly costUsd?: number;
  readonly unpriced: number;
}

/** `events` are those since then, in order. Inherited ones happened in another session, and other programs' are not agents of ours. */
export function recapOf(session: Pick<Session, 'id' | 'cwd' | 'waiting'>, events: readonly Event[]): SessionRecap {
  const own = events.filter((event) => event.inherited !== true && event.elsewhere !== true);
  const turns = own.filter((event) => event.type === 'turn.completed');
  const costs = turns.flatMap(({ costUsd }) => costUsd ?? []);
  const ended = endOf(turns.at(-1));
  return {
    session,
    asked: own.some(({ type }) => type === 'permission.requested'),
    files: filesIn(session.cwd, own),
    unpriced: turns.length - costs.length,
    ...(ended !== undefined && { ended }),
    ...(costs.length > 0 && { costUsd: sum(costs) }),
  };
}

const ENDS = { done: 'finished', failed: 'failed', crashed: 'failed', interrupted: undefined } as const;

const endOf = (turn: EventOf<'turn.completed'> | undefined): SessionRecap['ended'] => (turn === undefined ? undefined : ENDS[turnOutcome(turn)]);

function filesIn(cwd: string, events: readonly Event[]): readonly string[] {
  const changed = new ChangedFiles(cwd, () => undefined);
  for (const event of events) changed.add(event);
  return [...changed.files()].flatMap(([path, edits]) => (edits.length > 0 ? [path] : []));
}

/** A session is in one list only: what needs somebody comes before how its last turn ended. */
export function combined(since: string, sessions: readonly SessionRecap[]): Recap {
  const needsYou = sessions.filter(({ asked, session }) => asked && session.waiting > 0);
  const ended = (how: SessionRecap['ended']) => sessions.filter((each) => each.ended === how && !needsYou.includes(each)).map(({ session }) => session.id);
  const costs = sessions.flatMap(({ costUsd }) => costUsd ?? []);
  return {
    since,
    finished: ended('finished'),
    failed: ended('failed'),
    needsYou: needsYou.map(({ session }) => session.id),
    files: new Set(sessions.flatMap(({ files }) => files)).size,
    unpriced: sum(sessions.map(({ unpriced }) => unpriced)),
    ...(costs.length > 0 && { costUsd: sum(costs) }),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
