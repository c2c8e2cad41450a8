import { planOfStream } from '../../../../src/protocol/plan.ts';
import { useApp } from '../../../store/cockpit-context.ts';
import { describeMoment } from './describe-moment.ts';
import type { PanelMoment } from './move-cursor.ts';
import type { PanelInput } from './use-panel-input.tsx';

/** One tab stop for all blocks of the panel: arrow keys move between them, Enter opens one. */
export function PanelCursor({ input: { keys, selected } }: { readonly input: PanelInput }) {
  return (
    <>
      <button type="button" className="panel-cursor" {...keys}>
        {selected === undefined ? 'Use the arrow keys to move through the timeline' : <CursorText target={selected} />}
      </button>
      <output className="unseen">{selected !== undefined && <CursorText target={selected} />}</output>
    </>
  );
}

function CursorText({ target: { sessionId, moment } }: { readonly target: PanelMoment }) {
  const title = useApp((state) => state.sessions.get(sessionId)?.title ?? state.planNews.get(planOfStream(sessionId) ?? '')?.title ?? '');
  // Uses a fixed time: a live region that counts seconds would never be silent.
  const waits = useApp((state) => state.panel.tracks.get(sessionId)?.waits);
  const { head, facts } = describeMoment(moment, moment.to ?? moment.from, waits);
  return (
    <>
      {title}: {head}, {facts}
    </>
  );
}
