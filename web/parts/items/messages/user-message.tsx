import { memo } from 'react';
import type { UserItem } from '../../../../src/domain/transcript/item.ts';
import { clockText } from '../../../base/text/format.ts';
import { Fold } from '../../common/fold.tsx';
import { FullTextLink } from '../../common/full-text-link.tsx';
import { Pictures } from '../content/pictures.tsx';
import { ContextChips } from './context-chips.tsx';
import { MessageMenu } from './message-menu.tsx';

/** Longer messages are folded. */
const SHOWN_CHARS = 1200;

export const UserMessage = memo(function UserMessage({ sessionId, item }: { readonly sessionId: string; readonly item: UserItem }) {
  const text = item.text ?? 'The text of this message is further up';
  return (
    <div className={item.origin === 'agent' ? 'said by-agent' : 'said'}>
      <span className="said-text">{text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text}</span>{' '}
      <span className="said-facts">
        {item.origin === 'agent' && (item.actor?.kind === 'agent' ? 'message from another agent · ' : 'prompt from the main agent · ')}
        {item.origin === 'elsewhere' && 'from a terminal · '}
        {item.steered && 'sent mid-turn · '}
        {item.at !== undefined && <time dateTime={item.at}>{clockText(item.at)}</time>}
        {!item.taken && ' · delivered'}
      </span>
      {item.saidSeq !== undefined && <MessageMenu sessionId={sessionId} seq={item.saidSeq} text={text} isPerson={item.origin === 'person'} />}
      <ContextChips context={item.context} />
      <Pictures images={item.images} label="Attached picture" />
      <FullTextLink blob={item.whole} />
      {item.forgotten !== undefined && <p className="forgotten">The agent no longer remembers this message: {item.forgotten}</p>}
      {text.length > SHOWN_CHARS && (
        <Fold foldKey={`more:${item.key}`} label="Show full message">
          <pre className="said-whole">{text}</pre>
        </Fold>
      )}
    </div>
  );
});
