// Shown instead of any page while the server can't be reached. The address stays, so a reload shows the requested page.
const RETRY_MS = 3000;

async function tryAgain() {
  const answer = await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined);
  if (answer !== undefined) location.reload();
}

document.getElementById('again')?.addEventListener('click', () => location.reload());
addEventListener('online', tryAgain);
setInterval(tryAgain, RETRY_MS);
