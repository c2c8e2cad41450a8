import type { EventOf } from '../../protocol/event.ts';
import type { Draft } from './draft.ts';
import { foldMark } from './fold-mark.ts';

/** A requested setting stays until the agent confirms or refuses it. */
export function requested(draft: Draft, { setting, value }: EventOf<'setting.requested'>): void {
  draft.wishes.set(setting, { value });
}

export function refused(draft: Draft, event: EventOf<'setting.refused'>): void {
  draft.wishes.set(event.setting, { value: event.value, refused: event.reason });
  foldMark(draft, event);
}

const SETTINGS = { 'model.changed': 'model', 'mode.changed': 'mode', 'thinking.changed': 'thinking' } as const;

export function changed(draft: Draft, event: EventOf<keyof typeof SETTINGS>): void {
  draft.wishes.delete(SETTINGS[event.type]);
  foldMark(draft, event);
}

/** A new process starts with all requested settings. */
export function started(draft: Draft, event: EventOf<'session.started'>): void {
  draft.wishes.clear();
  draft.models = event.models ?? draft.models;
  draft.commands = event.commands;
  foldMark(draft, event);
}
