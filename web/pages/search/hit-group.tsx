import { Link } from '@tanstack/react-router';
import { memo, useState } from 'react';
import { numberText } from '../../base/text/format.ts';
import { TextBoundary } from '../../base/ui/plain-text.tsx';
import { Ago } from '../../parts/common/ago.tsx';
import { useApp } from '../../store/cockpit-context.ts';
import type { HitGroup } from './group-hits.ts';
import { HitLine } from './hit-line.tsx';

interface HitGroupProps {
  readonly group: HitGroup;
  readonly onNarrow: (name: string, value: string) => void;
}

/** Hits shown per session before it is expanded. */
const SHOWN = 3;

export const HitGroupView = memo(function HitGroupView({ group, onNarrow }: HitGroupProps) {
  const [isOpen, setOpen] = useState(false);
  const first = group.hits[0];
  const agent = useApp((state) => state.agents?.find((known) => known.id === first?.agent)?.title);
  if (first === undefined) return null;
  const rest = group.hits.length - SHOWN;
  return (
    <section className="hit-group" aria-label={first.sessionTitle}>
      <h2>
        <Link to="/s/$sessionId" params={{ sessionId: group.sessionId }} className="hit-title">
          {first.sessionTitle}
        </Link>
        <span className="quiet">{first.project}</span>
        <span className="quiet">{agent ?? first.agent}</span>
        <Ago at={first.at} />
      </h2>
      <ul>
        {(isOpen ? group.hits : group.hits.slice(0, SHOWN)).map((hit) => (
          <TextBoundary key={`${hit.seq} ${hit.kind}`} of={hit} text={() => hit.snippet}>
            <HitLine hit={hit} onNarrow={onNarrow} />
          </TextBoundary>
        ))}
      </ul>
      {rest > 0 && !isOpen && (
        <button type="button" className="text-button" onClick={() => setOpen(true)}>
          {numberText(rest)} more in this session
        </button>
      )}
    </section>
  );
});
