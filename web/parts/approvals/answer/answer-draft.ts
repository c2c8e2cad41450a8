import * as z from 'zod/mini';

/** What the foot of a card shows; the choice first. */
const Face = z.enum(['choice', 'deny', 'edit', 'remember']);
export type Face = z.infer<typeof Face>;

export const RememberScope = z.enum(['session', 'project', 'everywhere']);

const Reply = z.object({ chosen: z.readonly(z.array(z.string())), own: z.string() });

/** How far a person has come with an answer. */
export const AnswerDraft = z.object({
  face: Face,
  /** Why it is denied. */
  reason: z.optional(z.string()),
  /** What fields of the request were changed into, by their places in its arguments. */
  texts: z.optional(z.readonly(z.array(z.tuple([z.string(), z.string()])))),
  /** By the words of the question, which may be any words: they are no names of fields. */
  replies: z.optional(z.readonly(z.array(z.tuple([z.string(), Reply])))),
  /** As what it is remembered, and where. */
  option: z.optional(z.string()),
  scope: z.optional(RememberScope),
  /** How an agent goes on with its plan. */
  mode: z.optional(z.string()),
});
export type AnswerDraft = z.infer<typeof AnswerDraft>;

export const NO_ANSWER: AnswerDraft = { face: 'choice' };
