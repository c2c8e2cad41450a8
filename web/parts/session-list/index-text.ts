import type { IndexProgress } from '../../../src/protocol/api/archive.ts';
import { countdownText, countText, numberText } from '../../base/text/format.ts';

/** The progress of the import in one line; empty when it is done. */
export function indexText({ phase, sessions, secondsLeft }: IndexProgress): string {
  switch (phase) {
    case 'looking':
      return sessions.total === 0
        ? 'Looking for sessions from other programs…'
        : `Looking for sessions from other programs: ${numberText(sessions.total)} so far`;
    case 'reading':
      return `Importing ${numberText(sessions.done)} of ${countText(sessions.total, 'session')}${secondsLeft === undefined ? '' : `, about ${countdownText(Math.ceil(secondsLeft))} left`}`;
    case 'ready':
      return '';
  }
}
