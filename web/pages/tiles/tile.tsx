import { type DragEvent, useRef, useState } from 'react';
import { HeardContext } from '../../base/actions/actions-context.ts';
import { AddressedContext } from '../../parts/address/addressed-context.ts';
import { useApp } from '../../store/cockpit-context.ts';
import { TileBody } from './tile-body.tsx';
import { DRAGGED, TileHead } from './tile-head.tsx';
import type { Tiles } from './use-tiles.ts';

interface TileProps {
  readonly sessionId: string;
  readonly tiles: Tiles;
  /** Whether keys mean this one. */
  readonly isActive: boolean;
  /** Whether no other is on the screen. */
  readonly isAlone?: boolean;
  readonly onActive: (id: string) => void;
}

/** One of several sessions: its head, its transcript and its composer. Whatever a hand touches gets the keys. */
export function Tile({ sessionId, tiles, isActive, isAlone = false, onActive }: TileProps) {
  const tile = useRef<HTMLElement>(null);
  const [isOver, setOver] = useState(false);
  const title = useApp((state) => state.sessions.get(sessionId)?.title ?? 'A session');
  const onDrop = (event: DragEvent) => {
    setOver(false);
    const dragged = event.dataTransfer.getData(DRAGGED);
    if (dragged === '' || dragged === sessionId) return;
    event.preventDefault();
    tiles.place(swapped(tiles.layout.sessions, dragged, sessionId));
  };
  return (
    <AddressedContext value={false}>
      <HeardContext value={isActive}>
        <section
          ref={tile}
          className={`tile${isActive && !isAlone ? ' active' : ''}${isOver ? ' over' : ''}`}
          aria-label={title}
          aria-current={isActive && !isAlone ? 'true' : undefined}
          data-tile={sessionId}
          tabIndex={-1}
          onFocusCapture={() => onActive(sessionId)}
          onPointerDownCapture={() => onActive(sessionId)}
          onDragOver={(event) => {
            if (!event.dataTransfer.types.includes(DRAGGED)) return;
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={onDrop}
        >
          <TileHead sessionId={sessionId} tiles={tiles} isAlone={isAlone} />
          <TileBody sessionId={sessionId} />
        </section>
      </HeardContext>
    </AddressedContext>
  );
}

const swapped = (sessions: readonly string[], a: string, b: string): readonly string[] => sessions.map((id) => (id === a ? b : id === b ? a : id));
