import * as z from 'zod/mini';
import type { State, Step } from './state.ts';
import { nothing } from './state.ts';

/** How one kind of line is read: undefined when it does not have the shape that was seen. */
export type LineKind = (state: State, raw: object) => Step | undefined;

export function line<S extends z.core.$ZodType>(schema: S, translate: (state: State, value: z.infer<S>) => Step): LineKind {
  return (state, raw) => {
    const parsed = z.safeParse(schema, raw);
    return parsed.success ? translate(state, parsed.data) : undefined;
  };
}

/** A line that is known and tells nothing that another one does not. */
export const silent: LineKind = nothing;
