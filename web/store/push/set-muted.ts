import type { SessionId } from '../../../src/protocol/ids.ts';
import type { Cockpit } from '../cockpit.ts';
import type { Push } from './push-store.ts';

/** Mutes or unmutes a session; a notice says if the server refuses. */
export async function setMuted(push: Push, cockpit: Pick<Cockpit, 'showNotice'>, id: SessionId, isMuted: boolean): Promise<void> {
  await push.settle(isMuted ? { mute: id } : { unmute: id });
  const { problem } = push.store.getState();
  if (problem !== undefined) cockpit.showNotice('error', problem);
}
