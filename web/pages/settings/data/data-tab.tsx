import { useEffect } from 'react';
import type { IndexProgress } from '../../../../src/protocol/api/archive.ts';
import { countText, sizeText } from '../../../base/text/format.ts';
import { ConfirmButton } from '../../../base/ui/confirm-button.tsx';
import { indexText } from '../../../parts/session-list/index-text.ts';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import { useSettings, useSettingsState } from '../settings-context.ts';
import { KeptCopies } from './kept-copies.tsx';
import { UnreadableList } from './unreadable-list.tsx';

/** Import of other programs' sessions, transcript backups, disk space and unreadable files. */
export function DataTab() {
  const cockpit = useCockpit();
  const settings = useSettings();
  const index = useApp((state) => state.index);
  useEffect(() => {
    void cockpit.loadIndex();
    void settings.loadKept();
    void settings.loadMachine();
  }, [cockpit, settings]);
  return (
    <section className="data-tab" aria-label="Data">
      {index !== undefined && <IndexState index={index} />}
      <KeptCopies />
      <DiskPart />
      {index !== undefined && <UnreadableList unreadable={index.unreadable} />}
    </section>
  );
}

/** Free disk space and memory in use. */
function DiskPart() {
  const machine = useSettingsState((state) => state.machine);
  if (machine === undefined) return null;
  const { live, maxLive, memory, freeDiskBytes } = machine;
  return (
    <section className="data-part" aria-label="Machine">
      <h2>Disk and memory</h2>
      <p>
        {sizeText(freeDiskBytes)} free on the disk of the data folder. {live} of {maxLive} agents running, using {sizeText(memory.usedBytes)} of memory
        {memory.capBytes !== undefined && ` (limit ${sizeText(memory.capBytes)})`}.
      </p>
      <p className="quiet">
        When every slot is in use, a new or woken session puts the longest idle agent to sleep, or waits in line. To change the limit, set <code>maxLive</code>{' '}
        in config.json or <code>SIGNALBOX_MAX_LIVE</code>, and restart the server. Agents keep running meanwhile.
      </p>
      <p className="quiet">When the disk is nearly full, new messages are refused and agents are interrupted, so that nothing they say is lost.</p>
    </section>
  );
}

function IndexState({ index }: { readonly index: IndexProgress }) {
  const settings = useSettings();
  const isOwner = useSettingsState((state) => state.isOwner);
  const { sessions, bytes } = index;
  const isReady = index.phase === 'ready';
  return (
    <section className="data-part" aria-label="Sessions from other programs">
      <h2>Sessions from other programs</h2>
      <p role="status">
        {isReady
          ? `Up to date: ${countText(sessions.done, 'session')} imported, ${sizeText(bytes.done)}.`
          : `${indexText(index)} (${sizeText(bytes.done)} of ${sizeText(bytes.total)}).`}
      </p>
      {!isReady && <progress aria-label="Import progress" max={Math.max(1, bytes.total)} value={bytes.done} />}
      <p className="quiet">Rebuild the search index and statistics. Your titles, stars, tags and notes are kept.</p>
      {isOwner === true && (
        <ConfirmButton
          label="Rebuild"
          question="Search and statistics will be incomplete until everything is read again."
          onConfirm={() => void settings.rebuildIndex()}
        />
      )}
    </section>
  );
}
