import { spawn } from 'node:child_process';
import { ROOT } from './root.mjs';

const running = new Set();

/**
 * Runs a command and resolves with its exit code and output; after `limitMs` it is killed together with its children.
 * With `quiet`, the output is only returned, not printed.
 */
export function run(command, args, { limitMs, quiet = false, env = process.env, cwd = ROOT } = {}) {
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'] });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text));
  return new Promise((resolve) => {
    let expired = false;
    const timer = setTimeout(() => {
      expired = true;
      endGroup(child, 'SIGKILL');
    }, limitMs);
    const finish = (code) => {
      clearTimeout(timer);
      running.delete(child);
      resolve({ code, output: expired ? `${output}\nended after its limit of ${limitMs / 1000} s` : output, expired });
    };
    child.on('error', (error) => {
      output += `${command} could not be started: ${error.message}`;
      finish(127);
    });
    child.on('close', (code) => finish(code ?? 1));
  });
}

function endGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has already exited.
  }
}

// An interrupted script also ends what it started.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    for (const child of running) endGroup(child, 'SIGTERM');
    process.exit(130);
  });
}
