import { useShallow } from 'zustand/react/shallow';
import { useShell } from '../../base/actions/shell-context.ts';
import { countText } from '../../base/words/words.ts';
import { useApp } from '../../store/cockpit-context.ts';
import { deckSections } from '../../store/sessions/deck.ts';
import { MOST_TILES } from '../../store/state/tile-layout.ts';

/** Nothing is side by side yet: what could be. */
export function TilesEmpty({ onPlace }: { readonly onPlace: (sessions: readonly string[]) => void }) {
  const { chooseSession } = useShell();
  const atWork = useApp(
    useShallow((state) => {
      const { running } = deckSections(state.sessions.values());
      return running.slice(0, MOST_TILES).map(({ id }) => id);
    }),
  );
  return (
    <section className="tiles-empty">
      <h2>Watch several at once</h2>
      <p>Two to six sessions beside each other, each with its transcript, its composer and what it waits for. The address can be kept and shared.</p>
      <div className="tiles-ways">
        {atWork.length > 0 && (
          <button type="button" className="button primary" onClick={() => onPlace(atWork)}>
            {`Show what is at work (${countText(atWork.length, 'session')})`}
          </button>
        )}
        <button
          type="button"
          className={atWork.length > 0 ? 'button' : 'button primary'}
          onClick={() => chooseSession({ title: 'The first session', onChoose: ({ id }) => onPlace([id]) })}
        >
          Choose a session…
        </button>
      </div>
    </section>
  );
}
