import { useState } from 'react';
import { SessionActions } from '../../parts/session-actions/session-actions.tsx';
import './tiles.css';
import { Tile } from './tile.tsx';
import { TileGrid } from './tile-grid.tsx';
import { TileTabs } from './tile-tabs.tsx';
import { TilesEmpty } from './tiles-empty.tsx';
import { TilesHead } from './tiles-head.tsx';
import { useIsNarrow } from './use-is-narrow.ts';
import { useTileActions } from './use-tile-actions.ts';
import { useTiles } from './use-tiles.ts';

/** Two to six sessions side by side, on one socket. Which ones is in the address; how large each is, the person's own. On a phone one at a time. */
export default function TilesPage() {
  const tiles = useTiles();
  const { sessions } = tiles.layout;
  const isNarrow = useIsNarrow();
  const [wished, setActive] = useState<string>();
  const active = sessions.find((id) => id === wished) ?? sessions[0];
  useTileActions({ ...tiles, active, setActive });
  return (
    <main className="tiles">
      <TilesHead tiles={tiles} />
      {active !== undefined && <SessionActions key={active} sessionId={active} />}
      {active === undefined && tiles.isKnown && <TilesEmpty onPlace={tiles.place} />}
      {active !== undefined && isNarrow && (
        <>
          <TileTabs sessions={sessions} active={active} onChoose={setActive} />
          <Tile key={active} sessionId={active} tiles={tiles} isActive isAlone onActive={setActive} />
        </>
      )}
      {active !== undefined && !isNarrow && <TileGrid tiles={tiles} active={active} onActive={setActive} />}
    </main>
  );
}
