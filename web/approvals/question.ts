import * as z from 'zod/mini';

const Question = z.object({
  question: z.string(),
  header: z.optional(z.string()),
  multiSelect: z.optional(z.boolean()),
  options: z.array(z.object({ label: z.string(), description: z.optional(z.string()) })),
});
export type Question = z.infer<typeof Question>;

const Questions = z.object({ questions: z.array(Question) });

/** The questions in a request's arguments, if that is what they are. */
export function questionsOf(input: Readonly<Record<string, unknown>>): readonly Question[] {
  const parsed = Questions.safeParse(input);
  return parsed.success ? parsed.data.questions : [];
}
