import type { AnnotationKind } from '../../../src/protocol/annotation.ts';

/** How each kind of comment is called on screen. */
export const KIND_TITLES: Readonly<Record<AnnotationKind, string>> = { action: 'Change', question: 'Question', praise: 'Praise', note: 'Note' };

export const KINDS = ['action', 'question', 'praise', 'note'] as const satisfies readonly AnnotationKind[];
