import type { EventOf } from '../../protocol/event.ts';
import type { Draft } from './draft.ts';
import { foldMark } from './fold-mark.ts';

type SettingEvent = EventOf<'setting.requested' | 'setting.refused' | 'model.changed' | 'mode.changed' | 'thinking.changed' | 'session.started'>;

/** A wish stands until the agent says how it is now, or that it will not. */
export function foldSetting(draft: Draft, event: SettingEvent): void {
  switch (event.type) {
    case 'setting.requested':
      draft.wishes.set(event.setting, { value: event.value });
      return;
    case 'setting.refused':
      draft.wishes.set(event.setting, { value: event.value, refused: event.reason });
      return foldMark(draft, event);
    case 'model.changed':
      draft.wishes.delete('model');
      return foldMark(draft, event);
    case 'mode.changed':
      draft.wishes.delete('mode');
      return foldMark(draft, event);
    case 'thinking.changed':
      draft.wishes.delete('thinking');
      return foldMark(draft, event);
    case 'session.started':
      // A fresh process was started with everything that was wished.
      draft.wishes.clear();
      draft.models = event.models ?? draft.models;
      draft.commands = event.commands;
      return foldMark(draft, event);
  }
}
