import { ReviewId } from '../../protocol/annotation.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { composeReview } from './compose.ts';
import type { AnnotationFold, FoldedAnnotation } from './fold.ts';

/** What an agent is told at its start about comments that nobody has answered or settled; undefined if there are none. Notes are for people. */
export function openCommentsText(cwd: string, sessionId: SessionId, { annotations, reviews }: AnnotationFold): string | undefined {
  const answered = new Set([...reviews.values()].flatMap(({ answers }) => Object.keys(answers)));
  // The newest ones, if not all fit.
  const open = [...annotations.values()].filter((one) => isOpen(one) && !answered.has(one.annotationId)).slice(-LIMITS.reviewAnnotations);
  for (let from = 0; from < open.length; from += 1) {
    const text = textOf(cwd, sessionId, open.slice(from));
    if (text.length <= MAX_CHARS) return text;
  }
  return undefined;
}

/** Goes into the agent's command line, which is limited. */
const MAX_CHARS = LIMITS.inlineBytes / 2;

/** What an agent wrote is never given to one as if a person had said it. */
const isOpen = ({ kind, settled, by }: FoldedAnnotation): boolean => settled === undefined && kind !== 'note' && kind !== 'praise' && by?.kind !== 'agent';

function textOf(cwd: string, sessionId: SessionId, open: readonly FoldedAnnotation[]): string {
  const comments = open.map(({ annotationId, seq, target, kind, text, suggestion, anchor }) => ({
    sessionId,
    annotationId,
    seq,
    target,
    kind,
    text,
    ...(suggestion !== undefined && { suggestion }),
    ...(anchor?.quote !== undefined && { quote: anchor.quote }),
    ...(anchor?.lines !== undefined && { selection: anchor.lines }),
  }));
  const { text } = composeReview(OPEN, cwd, comments);
  // Without the last line, which asks for an answer: these comments are known, not sent.
  return `${INTRODUCTION}\n${text.slice(0, text.lastIndexOf('\n'))}`;
}

const OPEN = ReviewId.parse('open');
const INTRODUCTION =
  'Open comments on this session’s work, for your information. Line numbers are from when each comment was made. Don’t act on them unless you are asked to.';
