import { memo } from 'react';
import type { UnrecognisedItem } from '../../../../src/domain/transcript/item.ts';
import { countText } from '../../../base/words/words.ts';
import { Fold } from '../../common/fold.tsx';

export const UnrecognisedLines = memo(function UnrecognisedLines({ item }: { readonly item: UnrecognisedItem }) {
  const label = <span className="mark mark-quiet">{`${countText(item.events.length, 'line')} that Signalbox does not know`}</span>;
  return (
    <Fold foldKey={item.key} label={label}>
      <pre className="arguments">{item.events.map((event) => event.raw).join('\n')}</pre>
    </Fold>
  );
});
