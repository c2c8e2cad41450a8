import { agoText } from '../../base/words/words.ts';
import { useApp } from '../../store/cockpit-context.ts';

/** How long ago, in one short word; the exact time on hover. */
export function Ago({ at }: { readonly at: string }) {
  const text = useApp((state) => agoText(state.now - Date.parse(at)));
  return (
    <time className="ago" dateTime={at} title={new Date(at).toLocaleString()}>
      {text}
    </time>
  );
}
