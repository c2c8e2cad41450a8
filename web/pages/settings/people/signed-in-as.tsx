import { useState } from 'react';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import { signOut } from './sign-out.ts';

/** Who this browser is signed in as, and the way out. */
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
      cockpit.tell('error', error instanceof Error ? error.message : String(error));
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
