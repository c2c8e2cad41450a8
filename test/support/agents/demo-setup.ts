import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { demo } from '../../../src/agents/demo/index.ts';
import type { LaunchContext } from '../../../src/agents/port/adapter.ts';
import type { SessionOptions } from '../../../src/protocol/session.ts';
import { bundle } from '../bundle.ts';
import { talk } from './talk-to-agent.ts';

interface Start {
  readonly fromSource?: boolean;
  readonly resume?: boolean;
  readonly forkOf?: string;
  readonly after?: string;
  readonly pace?: string;
  readonly mode?: SessionOptions['permissionMode'];
}

/** A folder in which the real demo program is launched and used through its adapter. */
export interface DemoSetup {
  readonly folder: string;
  start(options?: Start): ReturnType<typeof talk>;
  close(): void;
}

export function openDemoSetup(): DemoSetup {
  // One file, as in the package; it also starts faster than the source.
  const program = bundle('src/agents/demo/program.ts');
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-demo-'));
  const running: ChildProcessWithoutNullStreams[] = [];
  return {
    folder,
    start(options = {}) {
      const launch = demo.launch(contextOf(folder, options.fromSource ? resolve(demo.locate.builtin ?? '') : program, options));
      const child = spawn(launch.command, launch.args, { cwd: folder, env: { ...launch.env } });
      running.push(child);
      return talk(demo, child);
    },
    close() {
      for (const child of running) child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const contextOf = (folder: string, executable: string, { resume, forkOf, after, mode, pace }: Start): LaunchContext => ({
  executable,
  packageRoot: '',
  cwd: folder,
  options: mode === undefined ? {} : { permissionMode: mode },
  mode: forkOf !== undefined ? 'fork' : resume ? 'resume' : 'new',
  agentSessionId: forkOf ?? 's1',
  env: { PATH: process.env.PATH ?? '', HOME: folder, DEMO_AGENT_PACE_MS: pace ?? '0' },
  ...(forkOf === undefined ? {} : { forkSessionId: 's2' }),
  ...(after === undefined ? {} : { afterMessage: after }),
});
