import type { Annotation } from '../../../src/protocol/api/annotations.ts';

export type Comment = Annotation;

export interface Groups {
  readonly drafts: readonly Comment[];
  readonly sent: readonly Comment[];
  readonly skipped: readonly Comment[];
  readonly answered: readonly Comment[];
  readonly settled: readonly Comment[];
  /** Comments that the agent had to answer and whose turn is over. */
  readonly asked: number;
}

/** Comments by what has to be done about them; newest first once they are sent. */
export function groupsOf(comments: readonly Comment[]): Groups {
  const having = (state: Comment['state']): readonly Comment[] => comments.filter((one) => one.state === state);
  const [skipped, answered] = [having('skipped'), having('answered')];
  return {
    drafts: having('draft'),
    sent: having('sent').toReversed(),
    skipped,
    answered: answered.toReversed(),
    settled: having('settled').toReversed(),
    asked: skipped.length + answered.length,
  };
}
