import { useApp } from '../../../store/cockpit-context.ts';
import { momentWords } from './moment-words.ts';
import type { PanelHand } from './use-panel-input.tsx';
import type { Place } from './walk.ts';

/** One stop of the Tab key for all blocks of the panel: arrows walk over them, Enter opens that moment. */
export function PanelCursor({ hand: { keys, keyed } }: { readonly hand: PanelHand }) {
  return (
    <>
      <button type="button" className="panel-cursor" {...keys}>
        {keyed === undefined ? 'Walk over the blocks of the panel with the arrow keys' : <CursorWords place={keyed} />}
      </button>
      <output className="unseen">{keyed !== undefined && <CursorWords place={keyed} />}</output>
    </>
  );
}

function CursorWords({ place: { sessionId, moment } }: { readonly place: Place }) {
  const title = useApp((state) => state.sessions.get(sessionId)?.title ?? '');
  // The words of the moment at which it was reached: a live region that counts seconds would never be silent.
  const { head, facts } = momentWords(moment, moment.to ?? moment.from);
  return (
    <>
      {title}: {head}, {facts}
    </>
  );
}
