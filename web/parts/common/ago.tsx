import { agoText } from '../../base/text/format.ts';
import { useApp } from '../../store/cockpit-context.ts';

/** How long ago, in a few letters; the exact time on hover. */
export function Ago({ at }: { readonly at: string }) {
  const text = useApp((state) => agoText(state.now - Date.parse(at)));
  return (
    <time className="ago" dateTime={at} title={new Date(at).toLocaleString()}>
      {text}
    </time>
  );
}
