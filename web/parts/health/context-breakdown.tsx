import { useMemo } from 'react';
import { tokensText } from '../../base/text/format.ts';
import { useApp } from '../../store/cockpit-context.ts';
import { lastUsage, partsOf } from './context-parts.ts';

/** What the context consisted of at the model's last answer, as reported by the agent. */
export function ContextBreakdown({ sessionId }: { readonly sessionId: string }) {
  const events = useApp((state) => state.open.get(sessionId)?.transcript.events);
  const window = useApp((state) => state.sessions.get(sessionId)?.context?.window ?? state.sessions.get(sessionId)?.health?.windowTokens);
  const parts = useMemo(() => partsOf(lastUsage(events ?? []), window), [events, window]);
  if (parts.length === 0) return null;
  const total = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  return (
    <div className="context-parts">
      <span className="context-bar" aria-hidden="true">
        {parts.map(({ name, tokens }) => (
          <span key={name} className={`part-${name}`} style={{ flexGrow: tokens / total }} />
        ))}
      </span>
      <dl>
        {parts.map(({ name, label, tokens }) => (
          <div key={name}>
            <dt>
              <span className={`part-mark part-${name}`} aria-hidden="true" /> {label}
            </dt>
            <dd>{tokensText(tokens)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
