import { extractOf, withinBytes } from '../../domain/session/handover.ts';
import type { Inherited } from '../../domain/session/inherit.ts';
import type { Journal } from '../../journal/journal.ts';
import type { ContinueFrom, Refusal } from '../../protocol/command.ts';
import type { Event, Origin } from '../../protocol/event.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { fullMessage } from '../loop/store-blobs.ts';
import type { Continuation, Create } from './continuation.ts';

type Summary = NonNullable<Origin['summary']>;

interface Possible {
  /** The summary that the agent made when it compacted its context. */
  readonly compaction: string | undefined;
  /** The agent can be asked in a copy of the conversation. */
  readonly isForkable: boolean;
}

/** The requested kind of summary, or the best available one: the agent's own compaction, one that the agent is asked for, or an extract. Each is labelled. */
export function chooseSummary(asked: ContinueFrom['summary'], { compaction, isForkable }: Possible, past: readonly Inherited[]): Summary | Refusal {
  const how = asked ?? (compaction !== undefined ? 'compaction' : isForkable ? 'agent' : 'extract');
  if (how === 'compaction') return compaction === undefined ? NEVER_COMPACTED : { how, text: withinBytes(compaction, LIMITS.inlineBytes) };
  if (how === 'agent' && !isForkable) return CANNOT_BE_ASKED;
  // The agent's summary replaces the extract; if it fails, the extract is used.
  return { how, text: extractOf(past) };
}

const NEVER_COMPACTED: Refusal = { refused: 'conflict', message: 'The agent hasn’t summarized this conversation. Ask it for a summary, or use an extract.' };
const CANNOT_BE_ASKED: Refusal = {
  refused: 'cannot-resume',
  message: 'The agent can’t fork this conversation here, so it can’t be asked for a summary. Use an extract.',
};

export const handoverFrom = (command: Create, agentSessionId: string, summary: Summary): Continuation => ({
  command: { ...command, origin: { kind: 'handover', agentSessionId, summary } },
});

/** The summary comes right after its compaction. */
export function compactionIn(events: readonly Event[], blobs: Pick<Journal, 'putBlob' | 'blob'>): string | undefined {
  const at = events.findLastIndex((event) => event.type === 'context.compacted' && event.failed === undefined);
  const summary = at < 0 ? undefined : events.slice(at + 1).find((event) => event.type === 'user.message' && event.origin === 'agent');
  if (summary?.type !== 'user.message') return undefined;
  return fullMessage(blobs, { text: summary.text, blob: summary.blobs?.text ?? null, images: [] }).text;
}
