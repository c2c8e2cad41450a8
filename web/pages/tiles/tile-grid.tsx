import { useRef } from 'react';
import { Splitter } from './splitter.tsx';
import { Tile } from './tile.tsx';
import type { Tiles } from './use-tiles.ts';

interface TileGridProps {
  readonly tiles: Tiles;
  readonly active: string;
  readonly onActive: (id: string) => void;
}

export function TileGrid({ tiles, active, onActive }: TileGridProps) {
  const frame = useRef<HTMLDivElement>(null);
  const { sessions, columns, widths, heights } = tiles.layout;
  // The last row may be shorter: its last tile fills it.
  const rest = columns * heights.length - sessions.length;
  return (
    <div className="tile-frame" ref={frame}>
      <div className="tile-grid" style={{ gridTemplate: `${tracks(heights)} / ${tracks(widths)}` }}>
        {sessions.map((id, at) => (
          <div key={id} className="tile-place" style={at === sessions.length - 1 && rest > 0 ? { gridColumn: `span ${rest + 1}` } : undefined}>
            <Tile sessionId={id} tiles={tiles} isActive={id === active} onActive={onActive} />
          </div>
        ))}
      </div>
      <Splitters name="Width of column" side="widths" shares={widths} frame={frame} tiles={tiles} />
      <Splitters name="Height of row" side="heights" shares={heights} frame={frame} tiles={tiles} />
    </div>
  );
}

const tracks = (shares: readonly number[]): string => shares.map((share) => `minmax(0, ${share}fr)`).join(' ');

interface SplittersProps {
  readonly name: string;
  readonly side: 'widths' | 'heights';
  readonly shares: readonly number[];
  readonly frame: { readonly current: HTMLElement | null };
  readonly tiles: Tiles;
}

function Splitters({ name, side, shares, frame, tiles }: SplittersProps) {
  return shares.slice(0, -1).map((share, at) => (
    <Splitter
      // biome-ignore lint/suspicious/noArrayIndexKey: a border is identified by its number
      key={at}
      label={`${name} ${at + 1}`}
      isUpright={side === 'widths'}
      share={share}
      at={shares.slice(0, at + 1).reduce((sum, each) => sum + each, 0)}
      frame={frame}
      onResize={(by) => tiles.resize(side, at, by)}
    />
  ));
}
