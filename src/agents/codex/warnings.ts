import type * as z from 'zod/mini';
import { emit, emitNothing } from '../formats/fold.ts';
import type { State, Step } from './state.ts';
import type { Rerouted } from './wire.ts';

const REMEMBERED = 8;
const REMEMBERED_CHARS = 100;

/** Shown once: Codex repeats warnings with every turn. */
export function warned(state: State, text: string): Step {
  const mark = text.slice(0, REMEMBERED_CHARS);
  if (state.warned.includes(mark)) return emitNothing(state);
  return emit({ ...state, warned: [...state.warned, mark].slice(-REMEMBERED) }, { type: 'notice.shown', level: 'warning', text });
}

/** Based on the types of 0.166.0; never seen. */
export const modelRerouted = (state: State, { toModel, reason }: z.infer<typeof Rerouted>): Step =>
  emit(state, { type: 'model.changed', model: toModel, reason: typeof reason === 'string' ? reason : 'the service chose another model' });
