import type { Transcript } from '../../../../src/domain/transcript/transcript.ts';

/** The sent message that is shown while going through the history. */
export interface Recalled {
  /** Steps back from the draft. */
  readonly back: number;
  readonly text: string;
  /** The draft when the search through the history started. */
  readonly own: string;
}

/** What people sent in this session, latest first, each once. */
export function sentBefore(transcript: Transcript | undefined): readonly string[] {
  const messages = [...(transcript?.items.values() ?? [])].flatMap((item) => (item.kind === 'user' && item.origin === 'person' ? [item.text ?? ''] : []));
  const queued = [...(transcript?.inputs.values() ?? [])].flatMap(({ state, text = '' }) => (state === 'queued' ? [text] : []));
  return [...new Set([...messages, ...queued].reverse())].filter((text) => text.trim() !== '');
}

/** One step further back or forward; undefined when there is nothing there. */
export function recall(sent: readonly string[], now: Recalled | undefined, text: string, by: 1 | -1): Recalled | undefined {
  // An edited message is a new draft.
  const from = now?.text === text ? now : { back: 0, text, own: text };
  const back = from.back + by;
  if (back < 0 || back > sent.length) return undefined;
  return { ...from, back, text: back === 0 ? from.own : (sent[back - 1] ?? '') };
}
