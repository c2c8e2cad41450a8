import { Unplug, Wifi } from 'lucide-react';
import { useApp } from '../../store/cockpit-context.ts';
import { connectionWords } from './connection-words.ts';

/** Quiet while all is well: a sign at the foot of the rail. */
export function ConnectionSign() {
  const isWell = useApp((state) => connectionWords(state).isWell);
  const Icon = isWell ? Wifi : Unplug;
  const word = isWell ? 'live' : 'off';
  return (
    <span className={isWell ? 'connection-sign' : 'connection-sign off'} title={isWell ? 'Connected to the server' : 'Not connected to the server'}>
      <Icon size={16} aria-hidden="true" />
      {word}
    </span>
  );
}
