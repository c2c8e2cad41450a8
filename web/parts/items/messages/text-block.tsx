import { memo, useRef } from 'react';
import type { TextItem } from '../../../../src/domain/transcript/item.ts';
import { errorText } from '../../../../src/domain/transcript/outcomes.ts';
import { useCommentSource } from '../../annotations/comment-context.ts';
import { messageAt, textPlace } from '../../annotations/message-place.ts';
import { FullTextLink } from '../../common/full-text-link.tsx';
import { Markdown } from '../../markdown/markdown.tsx';
import { MessageMenu } from './message-menu.tsx';

export const TextBlock = memo(function TextBlock({ sessionId, item }: { readonly sessionId: string; readonly item: TextItem }) {
  const problem = item.error === undefined ? undefined : errorText(item.error);
  const part = useRef<HTMLDivElement>(null);
  const message = messageAt(sessionId, item.seq, item.text);
  useCommentSource(part, (selection) => (canComment(item) ? textPlace(message, part.current, selection) : undefined));
  return (
    <div className="answer" ref={part}>
      {item.seq > 0 && <MessageMenu sessionId={sessionId} seq={item.seq} text={item.text} isPerson={false} />}
      <Markdown text={item.text} isWriting={item.writing} />
      <FullTextLink blob={item.whole} />
      {item.interrupted && <p className="cut">Stopped here</p>}
      {problem !== undefined && <p className="failed-line">{problem}</p>}
    </div>
  );
});

/** Not while it is still being written. */
const canComment = (item: TextItem): boolean => item.seq > 0 && !item.writing;
