import { memo } from 'react';
import { itemOf } from '../../../src/domain/transcript/transcript.ts';
import { useApp } from '../../store/cockpit-context.ts';
import { shownOf } from '../../store/state/app-state.ts';
import { useIsAddressed } from '../address/addressed-context.ts';
import { ItemBody } from './item-body.tsx';
import { isMarkable, Marked } from './marks/marked.tsx';
import { settledSign, signOf } from './row-sign.ts';

interface RowProps {
  readonly sessionId: string;
  readonly itemKey: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** One item with its piece of track and its sign. */
export const Row = memo(function Row({ sessionId, itemKey, isFirst, isLast }: RowProps) {
  const item = useApp((state) => {
    const opened = state.open.get(sessionId);
    return opened === undefined ? undefined : itemOf(shownOf(opened), itemKey);
  });
  const isAway = useApp((state) => state.open.get(sessionId)?.away !== undefined);
  const isAddressed = useIsAddressed();
  if (item === undefined) return null;
  const past = item.inherited ? ' inherited' : '';
  const ends = `${isFirst ? ' first' : ''}${isLast ? ' last' : ''}`;
  const body = <ItemBody sessionId={sessionId} item={item} />;
  return (
    <article className={`row row-${item.kind}${ends}${past}`} id={isAddressed && item.seq > 0 ? `e${item.seq}` : undefined}>
      <span className={`sign sign-${isAway ? settledSign(item) : signOf(item)}`} aria-hidden="true" />
      <div className="row-body">
        {isMarkable(item) ? (
          <Marked sessionId={sessionId} item={item}>
            {body}
          </Marked>
        ) : (
          body
        )}
      </div>
    </article>
  );
});
