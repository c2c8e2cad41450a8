import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import type { Recap } from '../../../src/protocol/seen.ts';
import { costText, countText, momentText } from '../../base/text/format.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';

/** For someone who was away: what happened in the meantime, in one line. */
export default function RecapLine() {
  const cockpit = useCockpit();
  const recap = useApp((state) => state.recap);
  if (recap === undefined) return null;
  const facts = factsOf(recap);
  if (facts.length === 0) return null;
  return (
    <section className="recap-line" aria-label="While you were away">
      <p>
        <strong>
          While you were away, {momentText(recap.since)} to {momentText(recap.until)}:
        </strong>{' '}
        {recap.isCut && 'at least '}
        {facts.map(([key, words], at) => (
          <Fragment key={key}>
            {at > 0 && ', '}
            {words}
          </Fragment>
        ))}
      </p>
      <button type="button" className="button plain" onClick={() => cockpit.dismissRecap()}>
        Dismiss
      </button>
    </section>
  );
}

function factsOf({ finished, failed, needsYou, files, costUsd, unpriced }: Recap): readonly (readonly [string, ReactNode])[] {
  const facts: (readonly [string, ReactNode])[] = [];
  if (needsYou.length > 0) facts.push(['waiting', <Sessions key="waiting" ids={needsYou} words={needsYou.length === 1 ? 'needs you' : 'need you'} />]);
  if (failed.length > 0) facts.push(['failed', <Sessions key="failed" ids={failed} words="failed" />]);
  if (finished.length > 0) facts.push(['finished', <Sessions key="finished" ids={finished} words="finished" />]);
  if (files > 0) facts.push(['files', `${countText(files, 'file')} changed`]);
  if (costUsd !== undefined) facts.push(['cost', costText(costUsd)]);
  if (unpriced > 0) facts.push(['unpriced', `${countText(unpriced, 'turn')} of unknown cost`]);
  return facts;
}

/** One session is a link to it. More are in the list below. */
function Sessions({ ids, words }: { readonly ids: readonly string[]; readonly words: string }) {
  const [only] = ids;
  const text = `${ids.length} ${words}`;
  if (only === undefined || ids.length > 1) return text;
  return (
    <Link to="/s/$sessionId" params={{ sessionId: only }}>
      {text}
    </Link>
  );
}
