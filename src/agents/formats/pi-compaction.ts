import type { KeptObservation } from '../../protocol/observation.ts';
import { itemOf } from './item-id.ts';

interface Compaction {
  readonly trigger: string;
  readonly summary?: string | undefined;
  readonly firstKeptEntryId?: string | null | undefined;
  readonly tokensBefore?: number | null | undefined;
  readonly tokensAfter?: number | null | undefined;
  /** When it was, and its line, where that is known. */
  readonly where: { readonly uuid?: string; readonly agentAt?: string };
}

/** Told alike by the wire and by the file, which have no id in common: from where on it kept what was said, and how much there was, is one. */
export function compactionTold({ trigger, summary, firstKeptEntryId, tokensBefore, tokensAfter, where }: Compaction): readonly KeptObservation[] {
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
