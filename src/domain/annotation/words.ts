import type { AnnotationKind } from '../../protocol/annotation.ts';
import type { AnnotationState } from '../../protocol/api/annotations.ts';

/** How each kind of comment is called. */
export const KIND_TITLES: Readonly<Record<AnnotationKind, string>> = { action: 'Change', question: 'Question', praise: 'Praise', note: 'Note' };

/** How each state of a comment is called. */
export const STATE_TITLES: Readonly<Record<AnnotationState, string>> = {
  draft: 'Draft',
  sent: 'Sent',
  answered: 'Answered',
  skipped: 'Skipped',
  settled: 'Settled',
};
