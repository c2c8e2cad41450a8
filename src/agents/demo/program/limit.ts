import type { Turn } from './turn.ts';

const KIND = 'demo limit';
const RETRIES = 2;
const RETRY_MS = 200;
const DEFAULT_S = 30;

/** A usage limit as with real agents: retries, gives up, and says when it resets. */
export async function reachLimit(turn: Turn, seconds: number): Promise<never> {
  turn.settings.limitedUntil = Date.now() + (seconds || DEFAULT_S) * 1000;
  for (let attempt = 1; attempt <= RETRIES; attempt += 1) {
    turn.print({ type: 'retry', attempt, of: RETRIES, ms: RETRY_MS, error: 'overloaded' });
    await turn.pace();
  }
  return refuse(turn);
}

/** While the limit is active, nothing is answered; the first turn after it says that it is over. */
export function checkLimit(turn: Turn): void {
  const { limitedUntil } = turn.settings;
  if (limitedUntil === 0) return;
  if (Date.now() < limitedUntil) refuse(turn);
  turn.settings.limitedUntil = 0;
  turn.print({ type: 'limit', status: 'allowed', kind: KIND });
}

function refuse(turn: Turn): never {
  const { limitedUntil } = turn.settings;
  turn.print({ type: 'limit', status: 'rejected', kind: KIND, resets: new Date(limitedUntil).toISOString() });
  throw new Error(`The demo limit is reached. It resets in ${Math.ceil((limitedUntil - Date.now()) / 1000)} seconds.`);
}
