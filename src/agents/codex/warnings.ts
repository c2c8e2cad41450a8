import type * as z from 'zod/mini';
import type { State, Step } from './state.ts';
import { nothing, tell } from './state.ts';
import type { Rerouted } from './wire.ts';

const REMEMBERED = 8;
const REMEMBERED_CHARS = 100;

/** Shown once: Codex says the same again with every turn. */
export function warned(state: State, text: string): Step {
  const mark = text.slice(0, REMEMBERED_CHARS);
  if (state.warned.includes(mark)) return nothing(state);
  return tell({ ...state, warned: [...state.warned, mark].slice(-REMEMBERED) }, { type: 'notice.shown', level: 'warning', text });
}

/** Made from the types of 0.166.0, and not seen. */
export const modelRerouted = (state: State, { toModel, reason }: z.infer<typeof Rerouted>): Step =>
  tell(state, { type: 'model.changed', model: toModel, reason: typeof reason === 'string' ? reason : 'the service chose another model' });
