import type { KeptObservation } from '../../../protocol/observation.ts';
import { itemOf } from '../item-id.ts';

interface Compaction {
  readonly trigger: string;
  readonly summary?: string | undefined;
  readonly firstKeptEntryId?: string | null | undefined;
  readonly tokensBefore?: number | null | undefined;
  readonly tokensAfter?: number | null | undefined;
  /** Time and line, where known. */
  readonly where: { readonly uuid?: string; readonly agentAt?: string };
}

/** Wire and file share no id for a compaction, so both use the first kept entry and the token count as one. */
export function observeCompaction({ trigger, summary, firstKeptEntryId, tokensBefore, tokensAfter, where }: Compaction): readonly KeptObservation[] {
  const itemId = itemOf(`compaction:${firstKeptEntryId ?? ''}:${tokensBefore ?? ''}`);
  const [before, after] = [whole(tokensBefore), whole(tokensAfter)];
  return [
    {
      type: 'context.compacted',
      itemId,
      ...where,
      trigger,
      ...(before === undefined ? {} : { preTokens: before }),
      ...(after === undefined ? {} : { postTokens: after }),
    },
    ...(summary ? [{ type: 'user.message', itemId: itemOf(`${itemId}:summary`), ...where, text: summary, origin: 'agent' } as const] : []),
  ];
}

export const whole = (tokens: number | null | undefined): number | undefined => (typeof tokens === 'number' ? Math.round(tokens) : undefined);
