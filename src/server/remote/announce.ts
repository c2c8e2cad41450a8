import type { RemoteNews, RemoteSession } from '../../index/machines/machine-store.ts';
import type { ServerFrame } from '../../protocol/frame.ts';
import { postToList } from '../ws/client.ts';
import { wireFrame } from '../ws/wire-frame.ts';
import { currentOf, isShownToAll } from './last-known.ts';
import { machineList } from './machines.ts';
import type { RemoteContext } from './remote-context.ts';

/** Tells the lists of our clients what changed on other machines. */
export function announce(context: RemoteContext, { changed, removed }: RemoteNews): void {
  for (const { now, before } of changed) {
    if (isShownToAll(now)) post(context, statusOf(context, now));
    postRequests(context, now, before);
  }
  for (const gone of removed) {
    post(context, { type: 'status', sessionId: gone.shared.session.id, status: 'ended', deleted: true });
    postRequests(context, undefined, gone);
  }
}

/** A machine came or went: its sessions are as they are, or as last known. */
export function announceMachine(context: RemoteContext, node: string): void {
  for (const known of context.store.sessions()) if (known.node === node && isShownToAll(known)) post(context, statusOf(context, known));
}

/** Which machines there are. */
export function announceMachines(context: RemoteContext): void {
  post(context, { type: 'machines', machines: machineList(context) });
}

function statusOf(context: RemoteContext, known: RemoteSession): ServerFrame {
  const session = currentOf(context, known);
  return { type: 'status', sessionId: session.id, status: session.status, session };
}

function postRequests(context: RemoteContext, now: RemoteSession | undefined, before: RemoteSession | undefined): void {
  const waiting = now?.shared.waiting ?? [];
  const earlier = before?.shared.waiting ?? [];
  const added = waiting.filter(({ requestId }) => !earlier.some((one) => one.requestId === requestId));
  const ended = earlier.filter(({ requestId }) => !waiting.some((one) => one.requestId === requestId));
  const resolved = (now?.shared.resolved ?? []).filter(({ requestId }) => ended.some((one) => one.requestId === requestId));
  if (added.length + resolved.length > 0) post(context, { type: 'waiting', added, resolved });
  // How it ended is not known here, so every list gets what is still open.
  if (resolved.length < ended.length) for (const client of context.local.hub.clients()) if (client.list === 'live') context.local.hub.sendWaiting(client);
}

function post({ local: { hub } }: RemoteContext, frame: ServerFrame): void {
  const bytes = wireFrame(frame);
  for (const client of hub.clients()) postToList(client, bytes);
}
