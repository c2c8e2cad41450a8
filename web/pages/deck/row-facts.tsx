import type { Session } from '../../../src/protocol/session.ts';
import { costText, memoryText } from '../../base/text/format.ts';
import { ContextMeter } from '../../base/ui/context-meter.tsx';
import { MachineName } from '../../parts/common/machine-name.tsx';

/** Project, memory, context and cost of a session. */
export function RowFacts({ session }: { readonly session: Session }) {
  return (
    <>
      <span className="row-project">
        {session.project} <MachineName session={session} />
      </span>
      <span className="row-memory" title="Process memory">
        {session.rssBytes === undefined ? '' : memoryText(session.rssBytes)}
      </span>
      <span className="row-context">{session.context !== undefined && <ContextMeter tokens={session.context.tokens} window={session.context.window} />}</span>
      <span className="row-cost">{session.costUsd === undefined ? '' : costText(session.costUsd)}</span>
    </>
  );
}
