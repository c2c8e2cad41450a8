import { sizeText } from '../../base/text/format.ts';
import { useApp } from '../../store/cockpit-context.ts';

/** Marks a conversation imported from another program's session file. */
export function PastChip({ sessionId }: { readonly sessionId: string }) {
  const past = useApp((state) => state.sessions.get(sessionId)?.past);
  if (past === undefined) return null;
  return (
    <span className="chip" title={`From another program, imported from the agent’s session file (${sizeText(past.bytes)})`}>
      {past.read ? 'imported' : 'importing…'}
    </span>
  );
}
