import type { Appearance } from '../../../base/appearance/appearance.ts';
import { useAppearance } from '../../../base/appearance/appearance-context.ts';
import { LOOKS } from '../../../base/appearance/choices.ts';

/** How the page looks in this browser; every change shows at once. */
export function AppearanceTab() {
  return (
    <section aria-label="Appearance">
      <div className="section-head">
        <p>Kept in this browser, so that a phone and a wall may differ. Colour means state, in every theme.</p>
      </div>
      <Look name="theme" />
      <Look name="density" />
      <Look name="text" />
      <Look name="motion" />
      <Look name="clock" />
    </section>
  );
}

function Look<K extends keyof Appearance>({ name }: { readonly name: K }) {
  const [appearance, change] = useAppearance();
  const { title, choices, note } = LOOKS[name];
  return (
    <fieldset className="look">
      <legend>{title}</legend>
      <div className="look-choices">
        {choices.map(([value, words]) => (
          <label key={value} className="look-choice">
            <input
              type="radio"
              className="look-radio"
              name={name}
              value={value}
              checked={appearance[name] === value}
              onChange={() => change({ [name]: value })}
            />
            {words}
          </label>
        ))}
      </div>
      {note !== undefined && <p className="quiet">{note}</p>}
    </fieldset>
  );
}
