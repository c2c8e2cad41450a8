import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { PACKAGE_ROOT } from '../../src/package.ts';
import type { CommandId } from '../../src/protocol/ids.ts';
import type { Observation } from '../../src/protocol/observation.ts';
import { LIMIT_MS, type Speaker } from './speaker.ts';
import type { Subject } from './subject.ts';

/** The program on two pipes: the same command, environment and lines as behind the server, and nothing in between. */
export async function openBare({ adapter, bench, executable, env }: Subject): Promise<Speaker> {
  const opening = { cwd: bench.server.project, options: {}, mode: 'new', agentSessionId: randomUUID() } as const;
  const launch = adapter.launch({ ...opening, executable, packageRoot: PACKAGE_ROOT, env });
  const since = performance.now();
  const child = spawn(launch.command, launch.args, { cwd: opening.cwd, env: launch.env, stdio: ['pipe', 'pipe', 'ignore'], detached: true });
  const write = (lines: readonly string[]): void => {
    for (const line of lines) child.stdin.write(`${line}\n`);
  };
  let state = adapter.initial();
  const watchers = new Map<Observation['type'], () => void>();
  createInterface(child.stdout).on('line', (line) => {
    const told = adapter.translate(state, line);
    state = told.state;
    write(told.replies);
    for (const { type } of told.observations) watchers.get(type)?.();
  });
  const heard = (type: Observation['type']): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no ${type} within ${LIMIT_MS} ms`)), LIMIT_MS);
      watchers.set(type, () => {
        clearTimeout(timer);
        resolve();
      });
    });
  const isReady = heard('agent.ready');
  write(adapter.greet(opening));
  await isReady;
  const readyMs = performance.now() - since;
  return {
    readyMs,
    say: async (text) => {
      const isOver = heard('turn.ended');
      const began = performance.now();
      write(adapter.encode({ kind: 'input', commandId: randomUUID() as CommandId, text, images: [], steer: false }, state));
      await isOver;
      return performance.now() - began;
    },
    close: async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      process.kill(-(child.pid ?? 0), 'SIGKILL');
      await gone;
    },
  };
}
