import { useStore } from 'zustand';
import { SessionId } from '../../../src/protocol/ids.ts';
import type { Binding } from '../../base/actions/actions.ts';
import { useCockpit } from '../../store/cockpit-context.ts';
import { pushHere } from '../../store/push/push-store.ts';
import { setMuted } from '../../store/push/set-muted.ts';

/** Nothing of a session is pushed to this person's browsers; left out while none of them is told at all. */
export function useMuteBinding(sessionId: string): Binding | undefined {
  const cockpit = useCockpit();
  const push = pushHere();
  const state = useStore(push.store, (view) => view.state);
  if (state === undefined || state.devices.length === 0) return undefined;
  const id = SessionId.parse(sessionId);
  const isMuted = state.settings.muted.includes(id);
  return {
    run: () => void setMuted(push, cockpit, id, !isMuted),
    title: isMuted ? 'Notify me again' : 'Mute',
    hint: isMuted ? 'it is muted for you' : 'nothing of it is pushed to you',
  };
}
