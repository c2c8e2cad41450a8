import { useStore } from 'zustand';
import { SessionId } from '../../../src/protocol/ids.ts';
import type { Binding } from '../../base/actions/actions.ts';
import { useCockpit } from '../../store/cockpit-context.ts';
import { pushHere } from '../../store/push/push-store.ts';
import { setMuted } from '../../store/push/set-muted.ts';

/** Stops a session's notifications for this person; undefined while none of their browsers gets notifications. */
export function useMuteBinding(sessionId: string): Binding | undefined {
  const cockpit = useCockpit();
  const push = pushHere();
  const state = useStore(push.store, (view) => view.state);
  if (state === undefined || state.devices.length === 0) return undefined;
  const id = SessionId.parse(sessionId);
  const isMuted = state.settings.muted.includes(id);
  return {
    run: () => void setMuted(push, cockpit, id, !isMuted),
    title: isMuted ? 'Unmute' : 'Mute',
    hint: isMuted ? 'turn its notifications back on' : 'no notifications from this session',
  };
}
