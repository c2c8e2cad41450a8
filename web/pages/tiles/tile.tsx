import { type DragEvent, useRef, useState } from 'react';
import { KeysActiveContext } from '../../base/actions/actions-context.ts';
import { AddressedContext } from '../../parts/address/addressed-context.ts';
import { useApp } from '../../store/cockpit-context.ts';
import { TileBody } from './tile-body.tsx';
import { TILE_DRAG_TYPE, TileHead } from './tile-head.tsx';
import type { Tiles } from './use-tiles.ts';

interface TileProps {
  readonly sessionId: string;
  readonly tiles: Tiles;
  /** Whether keys act on this tile. */
  readonly isActive: boolean;
  /** Whether it is the only tile on screen. */
  readonly isOnly?: boolean;
  readonly onActive: (id: string) => void;
}

/** One tile: header, transcript and composer. Clicking or focusing it makes keys act on it. */
export function Tile({ sessionId, tiles, isActive, isOnly = false, onActive }: TileProps) {
  const tile = useRef<HTMLElement>(null);
  const [isOver, setOver] = useState(false);
  const title = useApp((state) => state.sessions.get(sessionId)?.title ?? 'Session');
  const onDrop = (event: DragEvent) => {
    setOver(false);
    const dragged = event.dataTransfer.getData(TILE_DRAG_TYPE);
    if (dragged === '' || dragged === sessionId) return;
    event.preventDefault();
    tiles.setSessions(swapped(tiles.layout.sessions, dragged, sessionId));
  };
  return (
    <AddressedContext value={false}>
      <KeysActiveContext value={isActive}>
        <section
          ref={tile}
          className={`tile${isActive && !isOnly ? ' active' : ''}${isOver ? ' over' : ''}`}
          aria-label={title}
          aria-current={isActive && !isOnly ? 'true' : undefined}
          data-tile={sessionId}
          tabIndex={-1}
          onFocusCapture={() => onActive(sessionId)}
          onPointerDownCapture={() => onActive(sessionId)}
          onDragOver={(event) => {
            if (!event.dataTransfer.types.includes(TILE_DRAG_TYPE)) return;
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={onDrop}
        >
          <TileHead sessionId={sessionId} tiles={tiles} isOnly={isOnly} />
          <TileBody sessionId={sessionId} />
        </section>
      </KeysActiveContext>
    </AddressedContext>
  );
}

const swapped = (sessions: readonly string[], a: string, b: string): readonly string[] => sessions.map((id) => (id === a ? b : id === b ? a : id));
