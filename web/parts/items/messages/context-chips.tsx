import type { ContextItem } from '../../../../src/protocol/command.ts';
import { contextText } from '../../composer/attachments/context-text.ts';

/** The files and quotes attached to the message. */
export function ContextChips({ context }: { readonly context: readonly ContextItem[] }) {
  if (context.length === 0) return null;
  return (
    <ul className="context-chips" aria-label="Attached files and quotes">
      {context.map((item, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <li key={at} className="chip mono" title={item.text}>
          {contextText(item)}
        </li>
      ))}
    </ul>
  );
}
