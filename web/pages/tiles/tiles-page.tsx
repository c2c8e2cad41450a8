import { useState } from 'react';
import { useMedia } from '../../base/browser/use-media.ts';
import { SessionActions } from '../../parts/session-actions/session-actions.tsx';
import './tiles.css';
import { Tile } from './tile.tsx';
import { TileGrid } from './tile-grid.tsx';
import { TileTabs } from './tile-tabs.tsx';
import { TilesEmpty } from './tiles-empty.tsx';
import { TilesHead } from './tiles-head.tsx';
import { useTileActions } from './use-tile-actions.ts';
import { useTiles } from './use-tiles.ts';

/** Below this width only one session fits. The style sheet has the same width. */
const NARROW = '(max-width: 640px)';

/** Two to six sessions side by side. The address names the sessions; sizes are stored per person. A phone shows one at a time. */
export default function TilesPage() {
  const tiles = useTiles();
  const { sessions } = tiles.layout;
  const isNarrow = useMedia(NARROW);
  const [selected, setActive] = useState<string>();
  const active = sessions.find((id) => id === selected) ?? sessions[0];
  useTileActions({ ...tiles, active, setActive });
  return (
    <main className="tiles">
      <TilesHead tiles={tiles} />
      {active !== undefined && <SessionActions key={active} sessionId={active} />}
      {active === undefined && tiles.isKnown && <TilesEmpty onChoose={tiles.setSessions} />}
      {active !== undefined && isNarrow && (
        <>
          <TileTabs sessions={sessions} active={active} onChoose={setActive} />
          <Tile key={active} sessionId={active} tiles={tiles} isActive isOnly onActive={setActive} />
        </>
      )}
      {active !== undefined && !isNarrow && <TileGrid tiles={tiles} active={active} onActive={setActive} />}
    </main>
  );
}
