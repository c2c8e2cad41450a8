import { observeCompaction } from './compaction.ts';
import { contentOf } from './content.ts';
import { isBranchSummary, isCompaction, type PiEntry } from './entry.ts';
import { type LineResult, NOTHING, shaped, whereOf } from './line-result.ts';
import { isInserted, type PiUsage } from './message.ts';
import { spentOf } from './usage.ts';

/** The file doesn't say whether a person asked for the compaction. */
const TRIGGER = 'unknown';

export const compacted = (entry: PiEntry): LineResult | undefined =>
  shaped(isCompaction, entry, ({ summary, firstKeptEntryId, tokensBefore, usage }) => {
    const { itemId: _, ...where } = whereOf(entry);
    return { observations: observeCompaction({ summary, firstKeptEntryId, tokensBefore, trigger: TRIGGER, where }), ...spentHere(entry, usage) };
  });

/** The model's summary of a branch that was abandoned. */
export const branchAbandoned = (entry: PiEntry): LineResult | undefined =>
  shaped(isBranchSummary, entry, ({ summary, usage }) => ({
    unprinted: true,
    observations: [{ type: 'user.message', ...whereOf(entry), text: summary, origin: 'agent' }],
    ...spentHere(entry, usage),
  }));

/** A message from an extension to the model; what it hides in the terminal is hidden here too. */
export const inserted = (entry: PiEntry): LineResult | undefined =>
  shaped(isInserted, entry, ({ content, display }) => {
    const { text, images } = contentOf(content);
    if (display === false || (text === '' && images.length === 0)) return NOTHING;
    const rawImages = images.length > 0 ? { rawImages: images } : {};
    return { unprinted: true, observations: [{ type: 'user.message', ...whereOf(entry), text, origin: 'agent', ...rawImages }] };
  });

function spentHere({ id, timestamp: at }: PiEntry, usage: PiUsage | null | undefined): Pick<LineResult, 'spent'> {
  const spent = spentOf(usage, { ...(id && { messageId: id }), ...(at && { at }) });
  return spent === undefined ? {} : { spent };
}
