import * as z from 'zod/mini';

/** What the bottom of a card shows; first the choice. */
const AnswerView = z.enum(['choice', 'deny', 'edit', 'remember']);
export type AnswerView = z.infer<typeof AnswerView>;

export const RememberScope = z.enum(['session', 'project', 'everywhere']);

const Reply = z.object({ chosen: z.readonly(z.array(z.string())), own: z.string() });

/** An unfinished answer. The browser stores it under these names. */
export const AnswerDraft = z.object({
  face: AnswerView,
  /** The reason for a denial. */
  reason: z.optional(z.string()),
  /** The edited fields of the request, by their path in its arguments. */
  texts: z.optional(z.readonly(z.array(z.tuple([z.string(), z.string()])))),
  /** By the text of the question. A list and not an object, because the text could be any string. */
  replies: z.optional(z.readonly(z.array(z.tuple([z.string(), Reply])))),
  /** Which rule to create, and its scope. */
  option: z.optional(z.string()),
  scope: z.optional(RememberScope),
  /** The mode in which the agent continues after its plan. */
  mode: z.optional(z.string()),
});
export type AnswerDraft = z.infer<typeof AnswerDraft>;

export const NO_ANSWER: AnswerDraft = { face: 'choice' };
