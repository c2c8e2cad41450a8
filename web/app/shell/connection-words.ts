import type { AppState } from '../../store/state/app-state.ts';

export interface ConnectionWords {
  readonly isWell: boolean;
  readonly text: string;
}

/** What is true about the connection, and what it means for a person. */
export function connectionWords(state: AppState): ConnectionWords {
  const { phase } = state;
  const kept = state.unsent.length > 0 ? ` ${keptText(state.unsent.length)}` : '';
  switch (phase.name) {
    case 'open':
      return { isWell: true, text: 'Connected' };
    case 'connecting':
      return { isWell: false, text: `${state.wasOpen ? 'Connecting again…' : 'Connecting…'}${kept}` };
    case 'waiting':
      return { isWell: false, text: `No connection. Next try in ${Math.max(1, Math.ceil((phase.retryAt - state.now) / 1000))} s.${kept}` };
    case 'stopped':
      return { isWell: false, text: STOPPED[phase.why] };
  }
}

const keptText = (count: number): string =>
  count === 1 ? 'One message is not yet sent; it is kept here.' : `${count} messages are not yet sent; they are kept here.`;

const STOPPED = {
  revision: 'The server was updated and this page is too old for it. Reload the page; what you typed is kept.',
  unauthorised: 'The server does not know this browser.',
  closed: 'The connection is closed.',
} as const;
