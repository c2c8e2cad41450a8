import * as z from 'zod/mini';

const Todo = z.object({ content: z.string(), status: z.string() });
export type Todo = z.infer<typeof Todo>;

const Todos = z.object({ todos: z.array(Todo) });

export function todosOf(input: Readonly<Record<string, unknown>>): readonly Todo[] {
  const parsed = Todos.safeParse(input);
  return parsed.success ? parsed.data.todos : [];
}
