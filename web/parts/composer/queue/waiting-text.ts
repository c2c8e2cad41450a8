import type { InputRecord } from '../../../../src/domain/transcript/item.ts';
import { countText } from '../../../base/words/words.ts';

/** Where a waiting message stands, and what goes along with it. */
export function waitingText({ imageCount, context, reason }: InputRecord): string {
  const along = [
    imageCount > 0 ? countText(imageCount, 'picture') : undefined,
    context.length > 0 ? countText(context.length, 'place') : undefined,
    reason === undefined ? 'queued, safe' : `back in the queue: ${reason}`,
  ];
  return along.filter((part) => part !== undefined).join(' · ');
}
