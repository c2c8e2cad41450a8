import { useState } from 'react';
import { fetchWithKey, forgetKey } from '../../../client/http/key.ts';
import { createPushApi } from '../../../client/http/push-api.ts';
import { deviceHere, unsubscribeHere } from '../../../client/push-subscription.ts';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';

/** Who this browser is signed in as, and the sign-out button. */
export function SignedInAs() {
  const cockpit = useCockpit();
  const you = useApp((state) => state.you);
  const [isBusy, setBusy] = useState(false);
  if (you === undefined) return null;
  const leave = async () => {
    setBusy(true);
    try {
      await signOut(document.baseURI);
      location.assign(new URL('sign-in', document.baseURI));
    } catch (error) {
      cockpit.showNotice('error', error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };
  return (
    <section className="signed-in-as" aria-label="This browser">
      <div className="section-head">
        <p>
          Signed in as <strong>{you.name}</strong>
          {you.name !== you.role && ` (${you.role})`}
        </p>
        <button type="button" className="button" disabled={isBusy} onClick={() => void leave()}>
          Sign out
        </button>
      </div>
    </section>
  );
}

/** Signs this browser out on the server and removes its key here. Throws a readable message if that fails; then nothing has changed. */
async function signOut(base: string): Promise<void> {
  await stopNotifications(base).catch(() => undefined);
  const response = await fetchWithKey(base, 'sign-out', { method: 'POST' }).catch(() => undefined);
  // 401: already signed out.
  if (response === undefined || !(response.ok || response.status === 401)) {
    throw new Error('The server can’t be reached, so you are still signed in. Try again when the connection is back.');
  }
  await forgetKey(base).catch(() => undefined);
}

/** A signed-out browser gets no notifications. */
async function stopNotifications(base: string): Promise<void> {
  const here = await deviceHere();
  if (here === undefined) return;
  await createPushApi(base).unsubscribe(here);
  await unsubscribeHere();
}
