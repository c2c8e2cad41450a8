import { SessionId } from '../../../src/protocol/ids.ts';
import { useCockpit } from '../../store/cockpit-context.ts';
import { setMuted } from '../../store/push/set-muted.ts';
import { usePush } from './use-push.ts';

/** In a session's menu: nothing of it is pushed to this person's browsers. Left out while no browser of theirs is told at all. */
export default function MuteItem({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const [push, { state }] = usePush();
  if (state === undefined || state.devices.length === 0) return null;
  const id = SessionId.parse(sessionId);
  const isMuted = state.settings.muted.includes(id);
  return (
    <button type="button" onClick={() => void setMuted(push, cockpit, id, !isMuted)}>
      {isMuted ? 'Notify me again' : 'Mute'} <span className="quiet">{isMuted ? 'it is muted for you' : 'nothing of it is pushed to you'}</span>
    </button>
  );
}
