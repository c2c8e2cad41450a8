import type { Session } from '../../../src/protocol/session.ts';
import { costText, countdownText, memoryText } from '../../base/words/words.ts';
import { useApp } from '../../store/cockpit-context.ts';

/** What it cost, the limit it is near, and the process that holds it. */
export function HeadFacts({ session: { costUsd, limit, pid, rssBytes } }: { readonly session: Session }) {
  return (
    <span className="head-facts">
      {limit?.resetsAt !== undefined && limit.status !== 'allowed' && <LimitFact kind={limit.kind} resetsAt={limit.resetsAt} />}
      {costUsd !== undefined && (
        <span className="head-cost" title="Cost so far">
          {costText(costUsd)}
        </span>
      )}
      {pid !== undefined && (
        <span className="head-process" title={`Process ${pid}${rssBytes === undefined ? '' : `, ${memoryText(rssBytes)} of memory`}`}>
          <span className="head-pid">pid {pid}</span>
          {rssBytes !== undefined && <span>{memoryText(rssBytes)}</span>}
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
      limit, {countdownText(left)}
    </time>
  );
}
