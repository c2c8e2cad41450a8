import type { Session } from '../../../src/protocol/session.ts';
import { ContextMeter } from '../../base/ui/context-meter.tsx';
import { costText, memoryText } from '../../base/words/words.ts';

/** Where a session works and what it takes, each at its own place in the row. */
export function RowFacts({ session }: { readonly session: Session }) {
  return (
    <>
      <span className="row-project">{session.project}</span>
      <span className="row-memory" title="Memory of its process">
        {session.rssBytes === undefined ? '' : memoryText(session.rssBytes)}
      </span>
      <span className="row-context">{session.context !== undefined && <ContextMeter tokens={session.context.tokens} window={session.context.window} />}</span>
      <span className="row-cost">{session.costUsd === undefined ? '' : costText(session.costUsd)}</span>
    </>
  );
}
