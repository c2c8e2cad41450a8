import { memo } from 'react';
import type { TextItem } from '../../../../src/domain/transcript/item.ts';
import { errorText } from '../../../../src/domain/transcript/outcomes.ts';
import { FullTextLink } from '../../common/full-text-link.tsx';
import { Markdown } from '../../markdown/markdown.tsx';
import { MessageMenu } from './message-menu.tsx';

export const TextBlock = memo(function TextBlock({ sessionId, item }: { readonly sessionId: string; readonly item: TextItem }) {
  const problem = item.error === undefined ? undefined : errorText(item.error);
  return (
    <div className="answer">
      {item.seq > 0 && <MessageMenu sessionId={sessionId} seq={item.seq} text={item.text} isPerson={false} />}
      <Markdown text={item.text} isWriting={item.writing} />
      <FullTextLink blob={item.whole} />
      {item.interrupted && <p className="cut">Stopped here</p>}
      {problem !== undefined && <p className="failed-line">{problem}</p>}
    </div>
  );
});
