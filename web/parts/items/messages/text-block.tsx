import { memo } from 'react';
import type { TextItem } from '../../../../src/domain/transcript/item.ts';
import { FullTextLink } from '../../common/full-text-link.tsx';
import { Markdown } from '../../markdown/markdown.tsx';
import { MessageMenu } from './message-menu.tsx';

export const TextBlock = memo(function TextBlock({ sessionId, item }: { readonly sessionId: string; readonly item: TextItem }) {
  return (
    <div className="answer">
      {item.seq > 0 && <MessageMenu sessionId={sessionId} seq={item.seq} text={item.text} isPerson={false} />}
      <Markdown text={item.text} isWriting={item.writing} />
      <FullTextLink blob={item.whole} />
      {item.interrupted && <p className="cut">Stopped here</p>}
      {item.error !== undefined && <p className="failed-line">{item.error}</p>}
    </div>
  );
});
