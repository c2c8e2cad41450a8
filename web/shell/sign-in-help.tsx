/** Shown when the server does not know this browser: says how to get in, and that nothing is lost. */
export function SignInHelp() {
  return (
    <main className="help-page">
      <h1>This browser is not signed in</h1>
      <p>Signalbox opens only with its token. The full address with the token was printed when the server started; it looks like this:</p>
      <pre>Signalbox is ready: {new URL('.', document.baseURI).href}?token=…</pre>
      <p>If it is out of sight, ask for it on the machine where the server runs, then open it here once:</p>
      <pre>signalbox token</pre>
      <p className="quiet">What you typed and did not send is kept in this browser.</p>
      <button type="button" className="button primary" onClick={() => location.reload()}>
        Try again
      </button>
    </main>
  );
}
