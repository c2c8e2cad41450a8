import '../bin/node-version.mjs';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { ensureInstalled } from './lib/install.mjs';
import { ROOT, say, tool } from './lib/root.mjs';

// npm run dev [-- ARGUMENTS OF serve]: the server from source, restarted on every change, and vite for the page.
await ensureInstalled();

const parts = [start('server', tool('tsx'), ['watch', '--clear-screen=false', 'src/main.ts', 'serve', '--no-open', ...process.argv.slice(2)])];
if (existsSync(`${ROOT}web/index.html`)) parts.push(start('web', tool('vite'), ['web']));

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => endAll(signal));

function start(name, command, args) {
  const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit' });
  child.on('error', (error) => say(`${name}: ${error.message}`));
  child.on('exit', (code) => {
    say(`${name} ended with ${code}`);
    process.exitCode ||= code ?? 0;
    endAll('SIGTERM');
  });
  return child;
}

function endAll(signal) {
  for (const part of parts) if (part.exitCode === null && part.signalCode === null) part.kill(signal);
}
