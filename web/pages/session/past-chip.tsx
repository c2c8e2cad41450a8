import { sizeText } from '../../base/words/words.ts';
import { useApp } from '../../store/cockpit-context.ts';

/** Says that a conversation was had in another program, and is read from the agent's own record of it. */
export function PastChip({ sessionId }: { readonly sessionId: string }) {
  const past = useApp((state) => state.sessions.get(sessionId)?.past);
  if (past === undefined) return null;
  return (
    <span className="chip" title={`Had in another program; read from the agent’s own record, ${sizeText(past.bytes)}`}>
      {past.read ? 'from its record' : 'still reading its record'}
    </span>
  );
}
