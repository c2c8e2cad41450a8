import type { FileChange } from '../../../protocol/event.ts';
import type { KeptObservation } from '../../../protocol/observation.ts';
import { resultOf } from '../item-id.ts';
import { contentOf, stampOf } from './content.ts';
import type { PiToolResult } from './message.ts';

type Completed = Extract<KeptObservation, { type: 'tool.completed' }>;

/** The observation for a tool result. */
export function observeResult(
  { toolCallId, isError = false, content, timestamp }: PiToolResult,
  more: { readonly change?: FileChange; readonly uuid?: string },
): Completed {
  const { text, images } = contentOf(content);
  return {
    type: 'tool.completed',
    ...resultOf(toolCallId),
    output: text,
    isError,
    ...more,
    ...(images.length > 0 ? { rawImages: images } : {}),
    ...stampOf(timestamp),
  };
}
