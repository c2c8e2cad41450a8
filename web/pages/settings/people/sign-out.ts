import { fetchWithKey, forgetKey } from '../../../client/http/key.ts';
import { createPushApi } from '../../../client/http/push-api.ts';
import { deviceHere, unsubscribeHere } from '../../../client/push-subscription.ts';

/** Ends this browser's sign-in on the server, and leaves nothing of it here. Throws words; then nothing has changed. */
export async function signOut(base: string): Promise<void> {
  await stopNotifications(base).catch(() => undefined);
  const response = await fetchWithKey(base, 'sign-out', { method: 'POST' }).catch(() => undefined);
  // 401: the sign-in has ended already.
  if (response === undefined || !(response.ok || response.status === 401)) {
    throw new Error('The server can’t be reached, so you are still signed in. Try again when the connection is back.');
  }
  await forgetKey(base).catch(() => undefined);
}

/** Whoever is signed out is told nothing more. */
async function stopNotifications(base: string): Promise<void> {
  const here = await deviceHere();
  if (here === undefined) return;
  await createPushApi(base).unsubscribe(here);
  await unsubscribeHere();
}
