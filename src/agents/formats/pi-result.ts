import type { FileChange } from '../../protocol/event.ts';
import type { KeptObservation } from '../../protocol/observation.ts';
import { itemOf } from './item-id.ts';
import { contentOf, stampOf } from './pi-content.ts';
import type { PiToolResult } from './pi-message.ts';

type Completed = Extract<KeptObservation, { type: 'tool.completed' }>;

/** What the result of a call tells. */
export function resultTold(
  { toolCallId, isError = false, content, timestamp }: PiToolResult,
  more: { readonly change?: FileChange; readonly uuid?: string },
): Completed {
  const { text, images } = contentOf(content);
  return {
    type: 'tool.completed',
    itemId: itemOf(`${toolCallId}:result`),
    parentItemId: itemOf(toolCallId),
    toolUseId: toolCallId,
    output: text,
    isError,
    ...more,
    ...(images.length > 0 ? { rawImages: images } : {}),
    ...stampOf(timestamp),
  };
}
