import type { Transcript } from '../../../../src/domain/transcript/transcript.ts';

/** What a person looks at while going through what was sent before. */
export interface Recalled {
  /** Steps back from what is being written. */
  readonly back: number;
  readonly text: string;
  /** What was being written when it began. */
  readonly own: string;
}

/** What people sent in this session, the latest first, each once. */
export function sentBefore(transcript: Transcript | undefined): readonly string[] {
  const said = [...(transcript?.items.values() ?? [])].flatMap((item) => (item.kind === 'user' && item.origin === 'person' ? [item.text ?? ''] : []));
  const waiting = [...(transcript?.inputs.values() ?? [])].flatMap(({ state, text = '' }) => (state === 'queued' ? [text] : []));
  return [...new Set([...said, ...waiting].reverse())].filter((text) => text.trim() !== '');
}

/** One step further back or forward; undefined when there is nothing there. */
export function recall(sent: readonly string[], now: Recalled | undefined, text: string, by: 1 | -1): Recalled | undefined {
  // Whoever changed what was recalled writes anew.
  const begun = now?.text === text ? now : { back: 0, text, own: text };
  const back = begun.back + by;
  if (back < 0 || back > sent.length) return undefined;
  return { ...begun, back, text: back === 0 ? begun.own : (sent[back - 1] ?? '') };
}
