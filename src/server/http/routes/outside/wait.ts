import { WAIT_MAX_MS } from '../../../../protocol/api/outside/hooks.ts';
import type { Refusal } from '../../../../protocol/command.ts';

/** How long a request may wait, in milliseconds; without a number it does not wait. */
export function waitOf(text = '0'): number | Refusal {
  const ms = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (ms >= 0 && ms <= WAIT_MAX_MS) return ms;
  return { refused: 'out-of-range', message: `timeout is a number of milliseconds from 0 to ${WAIT_MAX_MS}.` };
}
