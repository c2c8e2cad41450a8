import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { bundle } from '../bundle.ts';
import type { Question } from './engine-program.ts';

/** An engine in its own process. */
export interface EngineProcess {
  ask<T>(question: Omit<Question, 'id'>): Promise<T>;
  /** Sends the question without waiting for the answer. */
  say(question: Omit<Question, 'id'>): void;
  kill9(): Promise<void>;
}

export async function startEngine(dataDir: string, home: string, root: string, env: Readonly<Record<string, string>>): Promise<EngineProcess> {
  const child = spawn(process.execPath, [bundle('test/support/engine/engine-program.ts'), dataDir, home, root], {
    env: { PATH: process.env.PATH ?? '', ...env, HOME: home },
  });
  child.stderr.pipe(process.stderr);
  const waiting = new Map<number, (answer: unknown) => void>();
  let asked = 0;
  const say = (question: Omit<Question, 'id'>) => child.stdin.write(`${JSON.stringify({ ...question, id: ++asked })}\n`);
  const isReady = new Promise<void>((ready) => {
    createInterface(child.stdout).on('line', (line) => {
      if (line === 'ready') return ready();
      const { id, answer } = JSON.parse(line) as { id: number; answer: unknown };
      waiting.get(id)?.(answer);
    });
  });
  await Promise.race([isReady, ended(child)]);
  return {
    say,
    ask: <T>(question: Omit<Question, 'id'>) =>
      new Promise<T>((answered) => {
        waiting.set(asked + 1, (answer) => answered(answer as T));
        say(question);
      }),
    kill9: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
}

async function ended(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit');
  throw new Error(`the engine exited with ${code}`);
}
