import { memo } from 'react';
import type { UserItem } from '../../src/domain/transcript/item.ts';
import { clockText, countText } from '../ui/words.ts';
import { Fold } from './fold.tsx';
import { WholeLink } from './whole-link.tsx';

/** Longer messages are folded. */
const SHOWN_CHARS = 1200;

export const UserMessage = memo(function UserMessage({ item }: { readonly item: UserItem }) {
  const text = item.text ?? 'A message whose words lie further up';
  return (
    <div className={item.origin === 'agent' ? 'said by-agent' : 'said'}>
      <span className="said-text">{text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text}</span>{' '}
      <span className="said-facts">
        {item.origin === 'agent' && 'by the agent itself · '}
        {item.origin === 'elsewhere' && 'typed elsewhere · '}
        {item.images.length > 0 && `${countText(item.images.length, 'picture')} · `}
        {item.at !== undefined && <time dateTime={item.at}>{clockText(item.at)}</time>}
        {!item.taken && ' · given to the agent'}
      </span>
      <WholeLink blob={item.whole} />
      {item.forgotten !== undefined && <p className="forgotten">The agent does not remember this message: {item.forgotten}</p>}
      {text.length > SHOWN_CHARS && (
        <Fold foldKey={`more:${item.key}`} label="Show the whole message">
          <pre className="said-whole">{text}</pre>
        </Fold>
      )}
    </div>
  );
});
