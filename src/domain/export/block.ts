import type { BlobRef, FileChange, ImageRef } from '../../protocol/event.ts';
import type { ItemMarks } from '../transcript/item.ts';

/** A transcript item as it appears in a document of any format. Texts are as the agent wrote them: nothing is escaped yet. */
export type Block = MessageBlock | AnswerBlock | ThinkingBlock | CallBlock | LineBlock;

interface Noted {
  readonly marks?: ItemMarks;
}

export interface MessageBlock extends Noted {
  readonly kind: 'said';
  readonly who: string;
  readonly at?: string;
  readonly text: string;
  readonly images: readonly Picture[];
}

export interface AnswerBlock extends Noted {
  readonly kind: 'answer';
  readonly text: string;
  /** Why it is not the agent's own words, or not all of them. */
  readonly remark?: string;
}

export interface ThinkingBlock extends Noted {
  readonly kind: 'thinking';
  readonly text: string;
}

export interface CallBlock extends Noted {
  readonly kind: 'call';
  readonly name: string;
  readonly summary: string;
  readonly input: string;
  readonly output: string;
  readonly outcome: 'done' | 'failed' | 'open';
  readonly change?: FileChange;
  readonly images: readonly Picture[];
  /** What a subagent did inside the call. */
  readonly inside: readonly Block[];
}

export interface LineBlock extends Noted {
  readonly kind: 'line';
  readonly tone: 'plain' | 'break' | 'bad';
  readonly text: string;
}

/** `uri` is a `data:` address, or unset when the picture was left out. */
export interface Picture {
  readonly uri?: string;
  readonly bytes: number;
}

/** What lies outside the events. The one who gives it keeps the bounds; undefined means that it is left out. */
export interface ExportContent {
  whole(ref: BlobRef): string | undefined;
  picture(ref: ImageRef): string | undefined;
  /** What people noted on an item, at the end of the session. */
  marks(key: string): ItemMarks | undefined;
}
