import { memo } from 'react';
import type { MarkEvent } from '../../src/domain/transcript/item.ts';
import { markText, markTone } from './mark-text.ts';

/** One quiet line for what happened around the conversation. */
export const MarkLine = memo(function MarkLine({ event }: { readonly event: MarkEvent }) {
  return <p className={`mark mark-${markTone(event)}`}>{markText(event)}</p>;
});
