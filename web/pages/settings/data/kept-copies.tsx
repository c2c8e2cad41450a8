import { countText, sizeText } from '../../../base/text/format.ts';
import { useSettings, useSettingsState } from '../settings-context.ts';

/** Backups of agents' session files, made before their CLI deletes them: their size, and the switch. */
export function KeptCopies() {
  const settings = useSettings();
  const kept = useSettingsState((state) => state.kept);
  const isOwner = useSettingsState((state) => state.isOwner);
  if (kept === undefined) return null;
  return (
    <section className="data-part" aria-label="Transcript backups">
      <h2>Transcript backups</h2>
      <label className="check">
        <input type="checkbox" checked={kept.on} disabled={isOwner !== true} onChange={(event) => void settings.setKept(event.target.checked)} />
        Back up every session file before its CLI deletes it
      </label>
      <p>
        {countText(kept.files, 'file')}, {sizeText(kept.bytes)} on disk ({sizeText(kept.rawBytes)} uncompressed).
        {kept.gone > 0 && ` The originals of ${countText(kept.gone, 'file')} are gone: only the backup is left.`}
      </p>
      {!kept.on && <p className="quiet">Existing backups stay until you delete them. No new ones are made.</p>}
      {kept.problem !== undefined && <p className="form-problem">{kept.problem}</p>}
    </section>
  );
}
