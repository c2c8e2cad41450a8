import type { Session } from '../../../src/protocol/session.ts';
import { costText, countdownText, memoryText } from '../../base/text/format.ts';
import { useApp } from '../../store/cockpit-context.ts';

/** The cost so far, the limit that is near, and the memory of the agent's process. */
export function HeaderFacts({ session: { costUsd, limit, rssBytes } }: { readonly session: Session }) {
  return (
    <span className="head-facts">
      {limit?.resetsAt !== undefined && limit.status !== 'allowed' && <LimitFact kind={limit.kind} resetsAt={limit.resetsAt} />}
      {costUsd !== undefined && (
        <span className="head-cost" title="Cost so far">
          {costText(costUsd)}
        </span>
      )}
      {rssBytes !== undefined && (
        <span className="head-process" title="Process memory">
          <span className="unseen">Memory </span>
          {memoryText(rssBytes)}
        </span>
      )}
    </span>
  );
}

interface LimitFactProps {
  readonly kind: string;
  readonly resetsAt: string;
}

function LimitFact({ kind, resetsAt }: LimitFactProps) {
  const left = useApp((state) => Math.ceil((Date.parse(resetsAt) - state.now) / 1000));
  if (left <= 0) return null;
  return (
    <time className="head-limit countdown" dateTime={resetsAt} title={`Limit: ${kind.replaceAll('_', ' ')}`}>
      Limit resets in {countdownText(left)}
    </time>
  );
}
