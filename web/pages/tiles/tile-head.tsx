import { Link } from '@tanstack/react-router';
import { ArrowLeft, ArrowRight, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { lampOf } from '../../base/ui/lamp.ts';
import { LampIcon } from '../../base/ui/lamp-icon.tsx';
import { VisibleLine } from '../../base/ui/visible-text.tsx';
import { InterruptButton } from '../../parts/session-actions/interrupt-button.tsx';
import { useApp } from '../../store/cockpit-context.ts';
import type { Tiles } from './use-tiles.ts';

/** What a tile is while it is dragged by its head. */
export const DRAGGED = 'application/x-signalbox-tile';

interface TileHeadProps {
  readonly sessionId: string;
  readonly tiles: Tiles;
  readonly isAlone: boolean;
}

/** Lamp, title and word; what moves the tile and takes it away. */
export function TileHead({ sessionId, tiles, isAlone }: TileHeadProps) {
  const session = useApp((state) => state.sessions.get(sessionId));
  const isConnected = useApp((state) => state.phase.name === 'open');
  const sessions: readonly string[] = tiles.layout.sessions;
  const at = sessions.indexOf(sessionId);
  const title = session?.title ?? 'A session';
  const lamp = session === undefined ? undefined : lampOf(session);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it do the same for whoever does not drag
    <header className="tile-head" draggable={!isAlone} onDragStart={(event) => event.dataTransfer.setData(DRAGGED, sessionId)}>
      {lamp !== undefined && !isAlone && <LampIcon shape={lamp.shape} />}
      <h2>
        <Link to="/s/$sessionId" params={{ sessionId }} title={`${title} (open alone)`} draggable={false}>
          {isAlone ? 'Open alone' : <VisibleLine text={title} />}
        </Link>
      </h2>
      <span className="tile-word">
        {session?.project} {lamp !== undefined && `· ${isConnected ? '' : 'was '}${lamp.word}`}
      </span>
      <InterruptButton sessionId={sessionId} />
      {!isAlone && (
        <>
          <Act label={`Move ${title} back`} isOff={at <= 0} onPress={() => tiles.move(sessionId, -1)}>
            <ArrowLeft size={14} aria-hidden="true" />
          </Act>
          <Act label={`Move ${title} on`} isOff={at === sessions.length - 1} onPress={() => tiles.move(sessionId, 1)}>
            <ArrowRight size={14} aria-hidden="true" />
          </Act>
        </>
      )}
      <Act label={`Take ${title} away`} isOff={false} onPress={() => tiles.place(sessions.filter((id) => id !== sessionId))}>
        <X size={15} aria-hidden="true" />
      </Act>
    </header>
  );
}

interface ActProps {
  readonly label: string;
  readonly isOff: boolean;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

const Act = ({ label, isOff, onPress, children }: ActProps) => (
  <button type="button" className="icon-button" aria-label={label} title={label} disabled={isOff} onClick={onPress}>
    {children}
  </button>
);
