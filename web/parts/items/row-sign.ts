import type { Item } from '../../../src/domain/transcript/item.ts';

export type Sign = 'disc' | 'ring' | 'live' | 'sleeper' | 'diamond' | 'passed' | 'buffer' | 'tick' | 'none';

/** The mark on the track: a person's words are discs, the agent's rings, tool calls sleepers, a wait the diamond. */
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
      return item.completed.isError ? 'buffer' : 'tick';
    case 'mark':
    case 'seam':
    case 'unrecognised':
      return 'none';
  }
}

/** Far from the end nothing is in progress: what looks open ended below the window. */
export function settledSign(item: Item): Sign {
  const sign = signOf(item);
  if (sign === 'live') return item.kind === 'tool' ? 'sleeper' : 'ring';
  return sign === 'diamond' ? 'passed' : sign;
}
