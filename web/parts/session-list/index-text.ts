import type { IndexProgress } from '../../../src/protocol/api/archive.ts';
import { countdownText, countText, numberText } from '../../base/words/words.ts';

/** How far the reading has come, in one line; nothing when it is done. */
export function indexText({ phase, sessions, secondsLeft }: IndexProgress): string {
  switch (phase) {
    case 'looking':
      return sessions.total === 0 ? 'looking for sessions of other programs…' : `looking for sessions of other programs: ${numberText(sessions.total)} so far`;
    case 'reading':
      return `reading ${numberText(sessions.done)} of ${countText(sessions.total, 'session')}${secondsLeft === undefined ? '' : `, about ${countdownText(Math.ceil(secondsLeft))} left`}`;
    case 'ready':
      return '';
  }
}
