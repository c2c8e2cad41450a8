import type { BlobRef, FileChange, ImageRef } from '../../protocol/event.ts';
import type { ItemMarks } from '../transcript/item.ts';
import type { CallOutcome } from '../transcript/outcomes.ts';

/** A transcript item as it appears in a document of any format. Texts are as the agent wrote them: nothing is escaped yet. */
export type Block = MessageBlock | AnswerBlock | ThinkingBlock | CallBlock | LineBlock | CommentBlock;

interface WithMarks {
  readonly marks?: ItemMarks;
}

export interface MessageBlock extends WithMarks {
  readonly kind: 'said';
  readonly who: string;
  readonly at?: string;
  readonly text: string;
  readonly images: readonly Picture[];
}

export interface AnswerBlock extends WithMarks {
  readonly kind: 'answer';
  readonly text: string;
  /** Why this isn't the agent's own text, or not all of it. */
  readonly remark?: string;
}

export interface ThinkingBlock extends WithMarks {
  readonly kind: 'thinking';
  readonly text: string;
}

export interface CallBlock extends WithMarks {
  readonly kind: 'call';
  readonly name: string;
  readonly summary: string;
  readonly input: string;
  readonly output: string;
  readonly outcome: CallOutcome;
  readonly change?: FileChange;
  readonly images: readonly Picture[];
  /** What a subagent did inside the call. */
  readonly inside: readonly Block[];
}

export interface LineBlock extends WithMarks {
  readonly kind: 'line';
  readonly tone: 'plain' | 'break' | 'bad';
  readonly text: string;
}

/** A person's comment, with what the agent did about it. */
export interface CommentBlock extends WithMarks {
  readonly kind: 'comment';
  readonly title: string;
  readonly quote?: string;
  readonly text: string;
  readonly suggestion?: string;
  readonly answer?: string;
  /** What the person said when they settled it. */
  readonly remark?: string;
}

/** `uri` is a `data:` address, or unset when the picture was left out. */
export interface Picture {
  readonly uri?: string;
  readonly bytes: number;
}

/** Content stored outside the events. The caller enforces size limits; undefined means it is left out. */
export interface ExportContent {
  whole(ref: BlobRef): string | undefined;
  picture(ref: ImageRef): string | undefined;
  /** The marks on an item, as of the end of the session. */
  marks(key: string): ItemMarks | undefined;
}
