import { Link } from '@tanstack/react-router';
import { ArrowLeft, ArrowRight, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { lampOf } from '../../base/ui/lamp.ts';
import { LampIcon } from '../../base/ui/lamp-icon.tsx';
import { VisibleLine } from '../../base/ui/visible-text.tsx';
import { InterruptButton } from '../../parts/session-actions/interrupt-button.tsx';
import { useApp } from '../../store/cockpit-context.ts';
import type { Tiles } from './use-tiles.ts';

/** The data type of a dragged tile. */
export const TILE_DRAG_TYPE = 'application/x-signalbox-tile';

interface TileHeadProps {
  readonly sessionId: string;
  readonly tiles: Tiles;
  readonly isOnly: boolean;
}

/** Lamp, title and status; buttons that move and close the tile. */
export function TileHead({ sessionId, tiles, isOnly }: TileHeadProps) {
  const session = useApp((state) => state.sessions.get(sessionId));
  const isConnected = useApp((state) => state.phase.name === 'open');
  const sessions: readonly string[] = tiles.layout.sessions;
  const at = sessions.indexOf(sessionId);
  const title = session?.title ?? 'Session';
  const lamp = session === undefined ? undefined : lampOf(session);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it do the same without dragging
    <header className="tile-head" draggable={!isOnly} onDragStart={(event) => event.dataTransfer.setData(TILE_DRAG_TYPE, sessionId)}>
      {lamp !== undefined && !isOnly && <LampIcon shape={lamp.shape} />}
      <h2>
        <Link to="/s/$sessionId" params={{ sessionId }} title={`${title} (open full page)`} draggable={false}>
          {isOnly ? 'Open full page' : <VisibleLine text={title} />}
        </Link>
      </h2>
      <span className="tile-word">
        {session?.project} {lamp !== undefined && `· ${isConnected ? '' : 'was '}${lamp.word}`}
      </span>
      <InterruptButton sessionId={sessionId} />
      {!isOnly && (
        <>
          <TileButton label={`Move ${title} earlier`} isOff={at <= 0} onPress={() => tiles.move(sessionId, -1)}>
            <ArrowLeft size={14} aria-hidden="true" />
          </TileButton>
          <TileButton label={`Move ${title} later`} isOff={at === sessions.length - 1} onPress={() => tiles.move(sessionId, 1)}>
            <ArrowRight size={14} aria-hidden="true" />
          </TileButton>
        </>
      )}
      <TileButton label={`Close ${title}`} isOff={false} onPress={() => tiles.setSessions(sessions.filter((id) => id !== sessionId))}>
        <X size={15} aria-hidden="true" />
      </TileButton>
    </header>
  );
}

interface TileButtonProps {
  readonly label: string;
  readonly isOff: boolean;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

const TileButton = ({ label, isOff, onPress, children }: TileButtonProps) => (
  <button type="button" className="icon-button" aria-label={label} title={label} disabled={isOff} onClick={onPress}>
    {children}
  </button>
);
