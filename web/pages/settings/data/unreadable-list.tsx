import type { Unreadable } from '../../../../src/protocol/api/archive.ts';
import { countText } from '../../../base/text/format.ts';
import { VisibleLine } from '../../../base/ui/visible-text.tsx';

/** More would only make the page slow. */
const SHOWN = 200;

/** Files that could not be read, and why. */
export function UnreadableList({ unreadable }: { readonly unreadable: readonly Unreadable[] }) {
  if (unreadable.length === 0) return null;
  return (
    <section className="data-part" aria-label="Unreadable files">
      <h2>{countText(unreadable.length, 'file')} could not be read</h2>
      <ul className="unreadable">
        {unreadable.slice(0, SHOWN).map(({ path, reason }) => (
          <li key={path}>
            <code>
              <VisibleLine text={path} />
            </code>
            <span className="quiet">
              <VisibleLine text={reason} />
            </span>
          </li>
        ))}
      </ul>
      {unreadable.length > SHOWN && <p className="quiet">and {countText(unreadable.length - SHOWN, 'more file')}</p>}
    </section>
  );
}
