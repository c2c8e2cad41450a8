import type { SessionId } from '../../../src/protocol/ids.ts';
import type { Cockpit } from '../cockpit.ts';
import type { Push } from './push-store.ts';

/** Mutes a session, or lets it be heard again; a server that did not take it is told of. */
export async function setMuted(push: Push, cockpit: Pick<Cockpit, 'tell'>, id: SessionId, isMuted: boolean): Promise<void> {
  await push.settle(isMuted ? { mute: id } : { unmute: id });
  const { problem } = push.store.getState();
  if (problem !== undefined) cockpit.tell('error', problem);
}
