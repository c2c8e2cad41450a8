import { useEffect } from 'react';
import type { IndexProgress } from '../../../../src/protocol/api/archive.ts';
import { countText, sizeText } from '../../../base/words/words.ts';
import { indexText } from '../../../parts/session-list/index-text.ts';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import { ConfirmButton } from '../confirm-button.tsx';
import { useHouse, useHouseState } from '../settings-context.ts';
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
    void house.loadMachine();
  }, [cockpit, house]);
  return (
    <section className="data-tab" aria-label="Data">
      {index !== undefined && <IndexState index={index} />}
      <KeptCopies />
      <DiskPart />
      {index !== undefined && <UnreadableList unreadable={index.unreadable} />}
    </section>
  );
}

/** What the machine has left for agents and their words. */
function DiskPart() {
  const machine = useHouseState((state) => state.machine);
  if (machine === undefined) return null;
  const { live, maxLive, memory, freeDiskBytes } = machine;
  return (
    <section className="data-part" aria-label="Machine">
      <h2>Disk and memory</h2>
      <p>
        {sizeText(freeDiskBytes)} free on the disk of the data folder. {countText(live, 'agent')} of at most {maxLive} {live === 1 ? 'runs' : 'run'}, with{' '}
        {sizeText(memory.usedBytes)} of memory{memory.capBytes !== undefined && ` of at most ${sizeText(memory.capBytes)}`}.
      </p>
      <p className="quiet">When the disk is nearly full, no new message is taken and agents are interrupted, before anything they say could be lost.</p>
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
