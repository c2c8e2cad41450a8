import type { AnnotationKind } from '../../../src/protocol/annotation.ts';

/** The kinds of comments, in the order in which the form offers them. */
export const KINDS = ['action', 'question', 'praise', 'note'] as const satisfies readonly AnnotationKind[];
