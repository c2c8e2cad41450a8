import { spawn } from 'node:child_process';

/** Opens the address in the person's browser, if there is one. A failure is ignored: the address was printed too. */
export function openBrowser(url: string): void {
  const command = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const child = spawn(command, [url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
