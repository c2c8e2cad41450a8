import * as z from 'zod/mini';
import type { State, Step } from '../state.ts';
import { nothing } from '../state.ts';

/** How one kind of line is read. `note` is what docs/coverage-claude-code.md says of it. */
export interface LineKind {
  readonly note: string;
  /** Undefined when the line does not have the shape that was seen. */
  read(state: State, raw: object): Step | undefined;
}

export function line<S extends z.core.$ZodType>(schema: S, note: string, translate: (state: State, value: z.infer<S>) => Step): LineKind {
  return {
    note,
    read(state, raw) {
      const parsed = z.safeParse(schema, raw);
      return parsed.success ? translate(state, parsed.data) : undefined;
    },
  };
}

/** A line that is known and deliberately tells nothing. */
export const silent = (note: string): LineKind => ({ note: `nothing: ${note}`, read: nothing });
