import { memo } from 'react';
import type { UnrecognisedItem } from '../../../../src/domain/transcript/item.ts';
import { unrecognisedText } from '../../../../src/domain/transcript/sentences.ts';
import { Fold } from '../../common/fold.tsx';

export const UnrecognizedLines = memo(function UnrecognizedLines({ item }: { readonly item: UnrecognisedItem }) {
  const label = <span className="mark mark-quiet">{unrecognisedText(item.events.length)}</span>;
  return (
    <Fold foldKey={item.key} label={label}>
      <pre className="arguments">{item.events.map((event) => event.raw).join('\n')}</pre>
    </Fold>
  );
});
