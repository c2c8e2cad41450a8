// Shown in place of any page while the server cannot be reached; the address stays, so that a reload shows what was wanted.
const AGAIN_MS = 3000;

async function tryAgain() {
  const answer = await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined);
  if (answer !== undefined) location.reload();
}

document.getElementById('again')?.addEventListener('click', () => location.reload());
addEventListener('online', tryAgain);
setInterval(tryAgain, AGAIN_MS);
