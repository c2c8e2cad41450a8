import { useShallow } from 'zustand/react/shallow';
import { useShell } from '../../base/actions/shell-context.ts';
import { countText } from '../../base/text/format.ts';
import { useApp } from '../../store/cockpit-context.ts';
import { deckSections } from '../../store/sessions/deck.ts';
import { MAX_TILES } from '../../store/state/tile-layout.ts';

/** Shown while there are no tiles: ways to add some. */
export function TilesEmpty({ onChoose }: { readonly onChoose: (sessions: readonly string[]) => void }) {
  const { chooseSession } = useShell();
  const running = useApp(
    useShallow((state) => {
      const sections = deckSections(state.sessions.values());
      return sections.running.slice(0, MAX_TILES).map(({ id }) => id);
    }),
  );
  return (
    <section className="tiles-empty">
      <h2>Watch several at once</h2>
      <p>Two to six sessions side by side, each with its transcript, composer and requests. You can bookmark or share the address.</p>
      <div className="tiles-ways">
        {running.length > 0 && (
          <button type="button" className="button primary" onClick={() => onChoose(running)}>
            {`Show ${countText(running.length, 'running session')}`}
          </button>
        )}
        <button
          type="button"
          className={running.length > 0 ? 'button' : 'button primary'}
          onClick={() => chooseSession({ title: 'First session', onChoose: ({ id }) => onChoose([id]) })}
        >
          Choose a session…
        </button>
      </div>
    </section>
  );
}
