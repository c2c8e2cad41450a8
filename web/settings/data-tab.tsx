import { useEffect } from 'react';
import type { IndexProgress } from '../../src/protocol/archive.ts';
import { useApp, useCockpit } from '../app/cockpit-context.ts';
import { indexText } from '../library/index-text.ts';
import { countText, sizeText } from '../ui/words.ts';
import { ConfirmButton } from './confirm-button.tsx';
import { useHouse, useHouseState } from './house-context.ts';
import { KeptCopies } from './kept-copies.tsx';
import { UnreadableList } from './unreadable-list.tsx';

/** What is read from the agents' own records, what of it is kept, and what could not be read. */
export function DataTab() {
  const cockpit = useCockpit();
  const house = useHouse();
  const index = useApp((state) => state.index);
  useEffect(() => {
    void cockpit.loadIndex();
    void house.loadKept();
  }, [cockpit, house]);
  return (
    <section className="data-tab" aria-label="Data">
      {index !== undefined && <IndexState index={index} />}
      <KeptCopies />
      {index !== undefined && <UnreadableList unreadable={index.unreadable} />}
    </section>
  );
}

function IndexState({ index }: { readonly index: IndexProgress }) {
  const house = useHouse();
  const isOwner = useHouseState((state) => state.isOwner);
  const { sessions, bytes } = index;
  const isReady = index.phase === 'ready';
  return (
    <section className="data-part" aria-label="Records">
      <h2>Records of other programs</h2>
      <p role="status">
        {isReady
          ? `Everything is read: ${countText(sessions.done, 'session')}, ${sizeText(bytes.done)}.`
          : `${indexText(index)} (${sizeText(bytes.done)} of ${sizeText(bytes.total)}).`}
      </p>
      {!isReady && <progress aria-label="Read so far" max={Math.max(1, bytes.total)} value={bytes.done} />}
      <p className="quiet">
        What makes the list, the search and the figures can be thrown away and made again. Titles, stars, tags, notes and links stay as they are.
      </p>
      {isOwner === true && (
        <ConfirmButton
          label="Rebuild"
          question="Search and figures are incomplete until everything is read again."
          onConfirm={() => void house.rebuildIndex()}
        />
      )}
    </section>
  );
}
