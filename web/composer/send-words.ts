import type { AppState } from '../store/app-state.ts';

export interface SendWords {
  readonly button: string;
  readonly effect: string;
}

/** What sending will do, before it is done. */
export function sendWords(state: AppState, sessionId: string): SendWords {
  if (state.phase.name !== 'open') return { button: 'Keep', effect: 'no connection: kept here, sent when it is back' };
  const status = state.sessions.get(sessionId)?.status;
  switch (status) {
    case 'starting':
    case 'busy':
      return { button: 'Queue', effect: 'queues while it works' };
    case 'waiting':
      return { button: 'Queue', effect: 'queues until its question is answered' };
    case 'sleeping':
    case 'ended':
    case 'failed':
      return { button: 'Send', effect: 'wakes the agent' };
    case 'idle':
      return { button: 'Send', effect: 'sends now' };
    case undefined:
      return { button: 'Send', effect: '' };
  }
}
