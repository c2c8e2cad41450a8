import { Unplug, Wifi } from 'lucide-react';
import { useApp } from '../../store/cockpit-context.ts';
import { connectionText } from './connection-text.ts';

/** The connection state at the bottom of the rail. */
export function ConnectionStatus() {
  const isWell = useApp((state) => connectionText(state).isWell);
  const Icon = isWell ? Wifi : Unplug;
  const word = isWell ? 'Live' : 'Offline';
  return (
    <span className={isWell ? 'connection-sign' : 'connection-sign off'} title={isWell ? 'Connected to the server' : 'Not connected to the server'}>
      <Icon size={16} aria-hidden="true" />
      {word}
    </span>
  );
}
