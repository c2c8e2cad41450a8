import type { Item } from '../../../src/domain/transcript/item.ts';
import { isFailedTurn } from '../../../src/domain/transcript/outcomes.ts';

export type Sign = 'disc' | 'ring' | 'live' | 'sleeper' | 'diamond' | 'passed' | 'buffer' | 'tick' | 'none';

/** The sign on the track: a disc for a person's message, a ring for the agent's, a sleeper for a tool call, a diamond for a request that needs you. */
export function signOf(item: Item): Sign {
  switch (item.kind) {
    case 'user':
      return item.origin === 'agent' ? 'ring' : 'disc';
    case 'text':
    case 'thinking':
      return item.writing ? 'live' : 'ring';
    case 'tool':
      return item.completed === undefined && item.waitsFor === undefined ? 'live' : 'sleeper';
    case 'permission':
      return item.resolved === undefined ? 'diamond' : 'passed';
    case 'turn':
      return isFailedTurn(item.completed) ? 'buffer' : 'tick';
    case 'mark':
    case 'seam':
    case 'unrecognised':
      return 'none';
  }
}

/** Far from the end nothing is in progress: an item that looks open was completed below the window. */
export function settledSign(item: Item): Sign {
  const sign = signOf(item);
  if (sign === 'live') return item.kind === 'tool' ? 'sleeper' : 'ring';
  return sign === 'diamond' ? 'passed' : sign;
}
