import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { SessionAt } from '../../../../../src/protocol/api/moment.ts';
import { costText, countText, momentText, tokensText } from '../../../../base/text/format.ts';
import { messageOf } from '../../../../base/text/message-of.ts';
import { useCapabilities } from '../../../../parts/common/use-capabilities.ts';
import { useApp, useCockpit } from '../../../../store/cockpit-context.ts';
import { useInspector } from '../inspector-context.ts';
import { JumpLink } from '../jump-link.tsx';

/** Goes back to any event of the session: what its state was, and a copy that continues from there. */
export function TimeSlider() {
  const { sessionId } = useInspector();
  const session = useApp((state) => state.sessions.get(sessionId));
  const [seq, setSeq] = useState<number>();
  if (session === undefined || session.lastSeq === 0) return null;
  const first = (session.past?.lastSeq ?? 0) + 1;
  if (session.lastSeq <= first) return null;
  const shown = Math.min(seq ?? session.lastSeq, session.lastSeq);
  return (
    <section className="time-slider" aria-label="Time machine">
      <label>
        <span className="quiet">Go back to</span>
        <input
          type="range"
          min={first}
          max={session.lastSeq}
          value={shown}
          aria-valuetext={`event ${shown} of ${session.lastSeq}`}
          onChange={(event) => setSeq(Number(event.target.value))}
        />
      </label>
      {seq !== undefined && <Moment seq={shown} onClose={() => setSeq(undefined)} />}
    </section>
  );
}

function Moment({ seq, onClose }: { readonly seq: number; readonly onClose: () => void }) {
  const { api, sessionId } = useInspector();
  const [found, setFound] = useState<SessionAt | string>();
  const cockpit = useCockpit();
  const navigate = useNavigate();
  const can = useCapabilities(sessionId);
  useEffect(() => {
    let isCurrent = true;
    const show = (value: SessionAt | string) => {
      if (isCurrent) setFound(value);
    };
    void api.moment(seq).then(show, (error: unknown) => show(messageOf(error)));
    return () => {
      isCurrent = false;
    };
  }, [api, seq]);
  const fork = async () => {
    const made = await cockpit.fork(sessionId, seq);
    if (made !== undefined) await navigate({ to: '/s/$sessionId', params: { sessionId: made.id } });
  };
  return (
    <div className="time-moment">
      {typeof found === 'string' && <p className="form-problem">{found}</p>}
      {typeof found === 'object' && <p aria-live="polite">{factsOf(found).join(' · ')}</p>}
      <p className="time-links">
        <JumpLink seq={seq}>Event {seq}</JumpLink>
        {can?.forkAt && (
          <button type="button" className="text-button" onClick={() => void fork()}>
            Fork from here
          </button>
        )}
        <button type="button" className="text-button" onClick={onClose}>
          Back to now
        </button>
      </p>
    </div>
  );
}

function factsOf({ at, status, context, costUsd, requests, queue, changes, checkpoint }: SessionAt): readonly string[] {
  return [
    momentText(at),
    status,
    ...(context === undefined ? [] : [`${tokensText(context.tokens)} of ${tokensText(context.window)} context`]),
    ...(costUsd === undefined ? [] : [costText(costUsd)]),
    ...(requests.length === 0 ? [] : [`${countText(requests.length, 'request')} open: ${requests.map(({ tool }) => tool).join(', ')}`]),
    ...(queue.length === 0 ? [] : [`${countText(queue.length, 'message')} queued`]),
    changes.files === 0 ? 'nothing changed yet' : `${countText(changes.files, 'file')} changed, +${changes.additions} −${changes.deletions}`,
    ...(checkpoint === undefined ? [] : [`files can be restored to event ${checkpoint.seq}`]),
  ];
}
