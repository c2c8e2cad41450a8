import type { AppState } from '../../store/state/app-state.ts';

export interface ConnectionText {
  readonly isWell: boolean;
  readonly text: string;
}

/** The state of the connection, and what it means for unsent messages. */
export function connectionText(state: AppState): ConnectionText {
  const { phase } = state;
  const unsent = state.unsent.length > 0 ? ` ${unsentText(state.unsent.length)}` : '';
  switch (phase.name) {
    case 'open':
      return { isWell: true, text: 'Connected' };
    case 'connecting':
      return { isWell: false, text: `${state.wasOpen ? 'Reconnecting…' : 'Connecting…'}${unsent}` };
    case 'waiting':
      return { isWell: false, text: `No connection. Reconnecting in ${Math.max(1, Math.ceil((phase.retryAt - state.now) / 1000))} s.${unsent}` };
    case 'stopped':
      return { isWell: false, text: STOPPED[phase.why] };
  }
}

const unsentText = (count: number): string => (count === 1 ? '1 unsent message is saved here.' : `${count} unsent messages are saved here.`);

const STOPPED = {
  revision: 'The server was updated. Reload the page to continue; what you typed is saved.',
  unauthorised: 'This browser is not signed in.',
  closed: 'The connection is closed. Reload the page to reconnect.',
} as const;
