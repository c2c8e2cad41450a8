import { memo } from 'react';
import type { ThinkingItem } from '../../../../src/domain/transcript/item.ts';
import { durationText } from '../../../base/text/format.ts';
import { Fold } from '../../common/fold.tsx';
import { FullTextLink } from '../../common/full-text-link.tsx';

export const ThinkingBlock = memo(function ThinkingBlock({ item }: { readonly item: ThinkingItem }) {
  if (item.text === '') return <p className="thinking-line">{labelOf(item)}</p>;
  return (
    <Fold foldKey={item.key} label={<span className="thinking-line">{labelOf(item)}</span>}>
      <p className="thinking">{item.text}</p>
      <FullTextLink blob={item.whole} />
    </Fold>
  );
});

function labelOf(item: ThinkingItem): string {
  if (item.writing) return 'Thinking…';
  return item.tookMs === undefined ? 'Thought' : `Thought for ${durationText(item.tookMs)}`;
}
