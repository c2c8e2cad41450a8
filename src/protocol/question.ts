import * as z from 'zod/mini';

/** A question that an agent asks, with the choices it offers; a free-text answer is always possible too. */
export const Question = z.object({
  question: z.string(),
  header: z.optional(z.string()),
  multiSelect: z.optional(z.boolean()),
  options: z.array(z.object({ label: z.string(), description: z.optional(z.string()) })),
});
export type Question = z.infer<typeof Question>;

/** The arguments of a request of the kind `question`. */
export const Questions = z.object({ questions: z.array(Question) });
