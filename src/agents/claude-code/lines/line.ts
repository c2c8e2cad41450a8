import type * as z from 'zod/mini';
import { emitNothing, readerFor } from '../../formats/fold.ts';
import type { State, Step } from './state.ts';

/** How to read one kind of line. `note` appears in docs/coverage-claude-code.md. */
export interface LineKind {
  readonly note: string;
  /** Undefined when the line doesn't have the known shape. */
  read(state: State, raw: object): Step | undefined;
}

export const line = <S extends z.core.$ZodType>(schema: S, note: string, translate: (state: State, value: z.infer<S>) => Step): LineKind => ({
  note,
  read: readerFor(schema, translate),
});

/** A known line that deliberately reports nothing. */
export const silent = (note: string): LineKind => ({ note: `nothing: ${note}`, read: emitNothing });
