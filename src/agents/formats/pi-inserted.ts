import { compactionTold } from './pi-compaction.ts';
import { contentOf } from './pi-content.ts';
import { isBranchSummary, isCompaction, type PiEntry } from './pi-entry.ts';
import { isInserted, type PiUsage } from './pi-message.ts';
import { spentOf } from './pi-spent.ts';
import { NOTHING, shaped, type Told, whereOf } from './pi-told.ts';

/** The file does not say whether a person asked for it. */
const TRIGGER = 'unknown';

export const compacted = (entry: PiEntry): Told | undefined =>
  shaped(isCompaction, entry, ({ summary, firstKeptEntryId, tokensBefore, usage }) => {
    const { itemId: _, ...where } = whereOf(entry);
    return { observations: compactionTold({ summary, firstKeptEntryId, tokensBefore, trigger: TRIGGER, where }), ...spentHere(entry, usage) };
  });

/** What came of a way that was left, in the words of the model. */
export const branchLeft = (entry: PiEntry): Told | undefined =>
  shaped(isBranchSummary, entry, ({ summary, usage }) => ({
    unprinted: true,
    observations: [{ type: 'user.message', ...whereOf(entry), text: summary, origin: 'agent' }],
    ...spentHere(entry, usage),
  }));

/** What an extension said to the model; what it hides from people in the terminal is hidden here too. */
export const inserted = (entry: PiEntry): Told | undefined =>
  shaped(isInserted, entry, ({ content, display }) => {
    const { text, images } = contentOf(content);
    if (display === false || (text === '' && images.length === 0)) return NOTHING;
    const rawImages = images.length > 0 ? { rawImages: images } : {};
    return { unprinted: true, observations: [{ type: 'user.message', ...whereOf(entry), text, origin: 'agent', ...rawImages }] };
  });

function spentHere({ id, timestamp: at }: PiEntry, usage: PiUsage | null | undefined): Pick<Told, 'spent'> {
  const spent = spentOf(usage, { ...(id && { messageId: id }), ...(at && { at }) });
  return spent === undefined ? {} : { spent };
}
