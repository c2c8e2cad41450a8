import { numberText } from '../text/format.ts';

/** Above this share the agent will soon compact its context. */
const TIGHT = 0.7;

/** How full the agent's context is. */
export function ContextMeter({ tokens, window }: { readonly tokens: number; readonly window: number }) {
  const share = window === 0 ? 0 : Math.min(1, tokens / window);
  const percent = Math.round(share * 100);
  return (
    <span className="meter" role="img" aria-label={`${percent} % of context used`} title={`${numberText(tokens)} of ${numberText(window)} tokens`}>
      <span className={share >= TIGHT ? 'meter-fill tight' : 'meter-fill'} style={{ width: `${percent}%` }} />
    </span>
  );
}
