import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as z from 'zod/mini';
import { bundle } from '../bundle.ts';
import type { ModelRequest } from './model.ts';

const Ready = z.object({ url: z.string(), pid: z.int() });

export interface SpawnedModel {
  readonly url: string;
  readonly pid: number;
  requests(): Promise<readonly ModelRequest[]>;
  /** Releases parts of `@SLOW gate`. */
  release(gate: string, count?: number): Promise<void>;
  open(gate: string): Promise<void>;
  /** Resolves when this many parts have arrived at the gate. */
  arrived(gate: string, count: number): Promise<void>;
  close(): Promise<void>;
}

/** The scripted model in its own process, controlled over HTTP. */
export async function spawnScriptedModel(): Promise<SpawnedModel> {
  const child = spawn(process.execPath, [bundle('test/support/scripted-model/main.ts')], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = new Promise<never>((_, reject) => child.once('exit', (code) => reject(new Error(`the scripted model exited with ${code}`))));
  exited.catch(() => undefined);
  const line = new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve));
  const ready = Ready.parse(JSON.parse(await Promise.race([line, exited])));
  return {
    ...ready,
    requests: async () => ((await request(`${ready.url}/_requests`)) as { requests: ModelRequest[] }).requests,
    release: async (gate, count = 1) => void (await request(`${ready.url}/_gate/${encodeURIComponent(gate)}/release?count=${count}`, 'POST')),
    open: async (gate) => void (await request(`${ready.url}/_gate/${encodeURIComponent(gate)}/open`, 'POST')),
    arrived: async (gate, count) => void (await request(`${ready.url}/_gate/${encodeURIComponent(gate)}/arrived?count=${count}`)),
    close: () => new Promise((resolve) => (child.exitCode === null ? child.once('exit', () => resolve()).kill() : resolve())),
  };
}

async function request(url: string, method = 'GET'): Promise<unknown> {
  const response = await fetch(url, { method });
  if (!response.ok) throw new Error(`the scripted model answered ${response.status} to ${method} ${url}`);
  return response.json();
}
