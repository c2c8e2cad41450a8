import type { Session, Status } from '../../../src/protocol/session.ts';

export type Shape = 'disc' | 'diamond' | 'square' | 'ring' | 'dotted' | 'check' | 'skip' | 'barred';

export interface LampSign {
  readonly shape: Shape;
  readonly word: string;
}

const SIGNS: Record<Status, LampSign> = {
  starting: { shape: 'disc', word: 'starting' },
  busy: { shape: 'disc', word: 'running' },
  waiting: { shape: 'diamond', word: 'needs you' },
  idle: { shape: 'ring', word: 'idle' },
  sleeping: { shape: 'dotted', word: 'sleeping' },
  ended: { shape: 'dotted', word: 'ended' },
  failed: { shape: 'square', word: 'failed' },
};

/** A session's state as shape and word: color only repeats them. */
export function lampOf(session: Pick<Session, 'status' | 'waiting' | 'reachable' | 'placeInLine'>): LampSign {
  if (!session.reachable) return { shape: 'dotted', word: 'unreachable' };
  if (session.placeInLine !== undefined) return { shape: 'ring', word: 'in line' };
  return session.waiting > 0 ? SIGNS.waiting : SIGNS[session.status];
}

/** The word beside a lamp: a session that finished and was not seen is not just idle. */
export const wordOf = ({ shape, word }: LampSign, isUnread: boolean): string => (isUnread && (shape === 'ring' || shape === 'dotted') ? 'finished' : word);
