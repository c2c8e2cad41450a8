import { useMemo, useState } from 'react';
import type { Session } from '../../../src/protocol/session.ts';
import { countText } from '../../base/text/format.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';

/** After a restart of the machine: the turns that were cut off, to continue all of them or some. */
export default function CutOffCard() {
  const cockpit = useCockpit();
  const sessions = useApp((state) => state.sessions);
  const dismissedAt = useApp((state) => state.person?.cutOffsDismissedAt ?? '');
  const cutOff = useMemo(() => [...sessions.values()].filter((session) => isOffered(session, dismissedAt)), [sessions, dismissedAt]);
  const [isChoosing, setChoosing] = useState(false);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const chosen = cutOff.filter(({ id }) => !left.has(id));
  if (cutOff.length === 0) return null;
  const toggle = (id: string) => setLeft((before) => new Set(before.has(id) ? [...before].filter((other) => other !== id) : [...before, id]));
  const latest = cutOff.reduce((until, session) => (session.cutOff !== undefined && session.cutOff.at > until ? session.cutOff.at : until), '');
  return (
    <section className="cut-off-card" aria-labelledby="cut-off-head">
      <h2 id="cut-off-head">{countText(cutOff.length, 'turn')} interrupted</h2>
      <p>Their agents ended while Signalbox was not running. Some steps may have completed; nothing is repeated unless you continue.</p>
      {isChoosing && (
        <ul>
          {cutOff.map(({ id, title, project }) => (
            <li key={id}>
              <label>
                <input type="checkbox" checked={!left.has(id)} onChange={() => toggle(id)} /> <span className="cut-off-title">{title}</span>{' '}
                <span className="quiet">{project}</span>
              </label>
            </li>
          ))}
        </ul>
      )}
      <div className="cut-off-ways">
        <button type="button" className="button primary" disabled={chosen.length === 0} onClick={() => void cockpit.continueCutOff(chosen)}>
          {isChoosing ? `Continue ${chosen.length}` : cutOff.length === 1 ? 'Continue' : 'Continue all'}
        </button>
        {cutOff.length > 1 && !isChoosing && (
          <button type="button" className="button" onClick={() => setChoosing(true)}>
            Choose…
          </button>
        )}
        <button type="button" className="button plain" onClick={() => void cockpit.dismissCutOffs(latest)}>
          Dismiss
        </button>
      </div>
    </section>
  );
}

const isOffered = ({ cutOff, archived }: Session, dismissedAt: string): boolean => cutOff !== undefined && archived !== true && cutOff.at > dismissedAt;
