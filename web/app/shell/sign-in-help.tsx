import { useEffect } from 'react';

/** Shown when this browser was signed out while the page was open, here or in another tab. */
export function SignedOut() {
  return (
    <main className="help-page">
      <h1>You’re signed out</h1>
      <p>This browser was signed out of Signalbox, or its token was revoked. Your agents keep working.</p>
      <p className="quiet">Your unsent text is saved in this browser.</p>
      <button type="button" className="button primary" onClick={() => location.reload()}>
        Sign in
      </button>
    </main>
  );
}

/** A page that was never signed in goes to the sign-in page, and returns to its address from there. */
export function RedirectToSignIn() {
  useEffect(() => location.replace(signInAddress(document.baseURI, location)), []);
  return (
    <main className="help-page">
      <p>Loading…</p>
    </main>
  );
}

const signInAddress = (base: string, { pathname, search, hash }: Location): string => {
  const here = `/${pathname.slice(new URL(base).pathname.length)}${search}${hash}`;
  return new URL(`sign-in?${new URLSearchParams({ next: here })}`, base).href;
};
