import type { Appearance } from '../../../base/appearance/appearance.ts';
import { useAppearance } from '../../../base/appearance/appearance-context.ts';
import { APPEARANCE_OPTIONS } from '../../../base/appearance/choices.ts';

/** Appearance in this browser. Every change applies at once. */
export function AppearanceTab() {
  return (
    <section aria-label="Appearance">
      <div className="section-head">
        <p>Saved in this browser only.</p>
      </div>
      <AppearanceField name="theme" />
      <AppearanceField name="density" />
      <AppearanceField name="text" />
      <AppearanceField name="motion" />
      <AppearanceField name="clock" />
    </section>
  );
}

function AppearanceField<K extends keyof Appearance>({ name }: { readonly name: K }) {
  const [appearance, change] = useAppearance();
  const { title, choices, note } = APPEARANCE_OPTIONS[name];
  return (
    <fieldset className="look">
      <legend>{title}</legend>
      <div className="look-choices">
        {choices.map(([value, label]) => (
          <label key={value} className="look-choice">
            <input
              type="radio"
              className="look-radio"
              name={name}
              value={value}
              checked={appearance[name] === value}
              onChange={() => change({ [name]: value })}
            />
            {label}
          </label>
        ))}
      </div>
      {note !== undefined && <p className="quiet">{note}</p>}
    </fieldset>
  );
}
