import type { Thinking } from '../../protocol/session.ts';
import { ownProperty } from './fold.ts';

/** Agents have more levels than we do. */
const LEVELS: Readonly<Record<string, Thinking>> = {
  none: 'off',
  off: 'off',
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'max',
  max: 'max',
  ultra: 'max',
};

export const thinkingOf = (level: string): Thinking | undefined => ownProperty(LEVELS, level);

/** Only the newest models and versions know `max`; elsewhere `xhigh` is the highest. */
export const levelOf = (thinking: string): string => (thinking === 'max' ? 'xhigh' : thinking);
