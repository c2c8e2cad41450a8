import { countText } from '../../../base/text/format.ts';

export interface FoldedText {
  readonly head: string;
  readonly tail: string;
  /** How much is hidden between them. */
  readonly label: string;
}

/** A command up to this size is shown in full. */
const LINES = 14;
const CHARS = 1600;
const HEAD_LINES = 8;
const TAIL_LINES = 3;
const HEAD_CHARS = 900;
const TAIL_CHARS = 400;

/** Both ends of a long text; undefined when it is short enough to show in full. */
export function foldText(text: string): FoldedText | undefined {
  const lines = text.split('\n');
  if (lines.length > LINES) {
    const between = lines.length - HEAD_LINES - TAIL_LINES;
    return { head: lines.slice(0, HEAD_LINES).join('\n'), tail: lines.slice(-TAIL_LINES).join('\n'), label: `Show ${countText(between, 'more line')}` };
  }
  if (text.length <= CHARS) return undefined;
  const between = text.length - HEAD_CHARS - TAIL_CHARS;
  return { head: text.slice(0, HEAD_CHARS), tail: text.slice(-TAIL_CHARS), label: `Show ${countText(between, 'more character')}` };
}
