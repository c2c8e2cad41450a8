import { SessionId } from '../../../src/protocol/ids.ts';
import { useCockpit } from '../../store/cockpit-context.ts';
import { setMuted } from '../../store/push/set-muted.ts';
import { usePush } from './use-push.ts';

/** In a session's menu: stops its notifications for this person. Hidden while none of their browsers gets notifications. */
export default function MuteItem({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const [push, { state }] = usePush();
  if (state === undefined || state.devices.length === 0) return null;
  const id = SessionId.parse(sessionId);
  const isMuted = state.settings.muted.includes(id);
  return (
    <button type="button" onClick={() => void setMuted(push, cockpit, id, !isMuted)}>
      {isMuted ? 'Unmute' : 'Mute'} <span className="quiet">{isMuted ? 'turn its notifications back on' : 'no notifications from this session'}</span>
    </button>
  );
}
