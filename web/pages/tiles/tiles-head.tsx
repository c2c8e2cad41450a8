import { Plus } from 'lucide-react';
import { useShell } from '../../base/actions/shell-context.ts';
import { KeyHint } from '../../base/ui/key-hint.tsx';
import { MAX_TILES } from '../../store/state/tile-layout.ts';
import type { Tiles } from './use-tiles.ts';

/** The number of tiles, the choice of columns, and the button that adds one. */
export function TilesHead({ tiles }: { readonly tiles: Tiles }) {
  const { chooseSession } = useShell();
  const { sessions, columns } = tiles.layout;
  const count = sessions.length;
  const add = () => chooseSession({ title: 'Add a session', onChoose: ({ id }) => tiles.setSessions([...sessions, id]) });
  return (
    <header className="page-head">
      <h1>Side by side</h1>
      <p className="page-summary">{count > 0 && `${count} of ${MAX_TILES}`}</p>
      {count > 1 && (
        <fieldset className="column-choice" aria-label="Columns">
          {[1, 2, 3].slice(0, count).map((each) => (
            <button key={each} type="button" aria-pressed={each === columns} onClick={() => tiles.setColumns(each)}>
              {each}
            </button>
          ))}
          <span aria-hidden="true">{columns === 1 ? 'column' : 'columns'}</span>
        </fieldset>
      )}
      {count > 0 && count < MAX_TILES && (
        <button type="button" className="button add-tile" onClick={add}>
          <Plus size={14} aria-hidden="true" /> Add <KeyHint>a</KeyHint>
        </button>
      )}
    </header>
  );
}
