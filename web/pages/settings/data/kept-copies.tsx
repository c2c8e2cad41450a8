import { countText, sizeText } from '../../../base/words/words.ts';
import { useHouse, useHouseState } from '../settings-context.ts';

/** Copies of records, made before their CLI deletes them: what they cost, and the switch. */
export function KeptCopies() {
  const house = useHouse();
  const kept = useHouseState((state) => state.kept);
  const isOwner = useHouseState((state) => state.isOwner);
  if (kept === undefined) return null;
  return (
    <section className="data-part" aria-label="Kept copies">
      <h2>Kept copies</h2>
      <label className="check">
        <input type="checkbox" checked={kept.on} disabled={isOwner !== true} onChange={(event) => void house.setKept(event.target.checked)} />
        Keep a copy of every record, before its CLI deletes it
      </label>
      <p>
        {countText(kept.files, 'file')} take {sizeText(kept.bytes)} on disk, as copies of {sizeText(kept.rawBytes)}.
        {kept.gone > 0 && ` Of ${countText(kept.gone, 'record')} the own file is gone: the copy is all there is.`}
      </p>
      {!kept.on && <p className="quiet">Copies that were made stay until you delete them; new ones are not made.</p>}
      {kept.problem !== undefined && <p className="form-problem">{kept.problem}</p>}
    </section>
  );
}
